mod pace;
