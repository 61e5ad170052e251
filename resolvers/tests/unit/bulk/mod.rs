mod awaited;
