package io.cle.samples.orders;

/**
 * An order that has not been done yet.
 *
 * @param id its number
 * @param customer who has ordered; the key by which orders belong to shards
 */
record Order(long id, String customer) {}
