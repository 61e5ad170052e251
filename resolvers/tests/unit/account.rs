mod roles;
