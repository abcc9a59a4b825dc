CREATE TABLE leader_fence (
  lease VARCHAR(317) PRIMARY KEY,
  token BIGINT NOT NULL
);
