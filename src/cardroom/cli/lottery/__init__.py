"""`cardroom lottery`: operate Knockout 21 from the command line."""
