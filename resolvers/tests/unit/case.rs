mod row;
