"""Every published figure beside ours."""
