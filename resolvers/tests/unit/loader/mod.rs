mod waiting;
