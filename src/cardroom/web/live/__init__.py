"""What runs while the server runs: tables that deal, draws that come, and who watches them."""
