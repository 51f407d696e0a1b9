"""Who is asking, and how much: cookies, passwords, tokens against forged requests, headers, limits."""
