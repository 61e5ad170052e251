mod added;
