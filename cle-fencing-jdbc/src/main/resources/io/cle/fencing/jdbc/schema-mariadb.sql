-- Only InnoDB has transactions and locks of rows.
CREATE TABLE leader_fence (
  lease VARCHAR(317) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY,
  token BIGINT NOT NULL
) ENGINE = InnoDB;
