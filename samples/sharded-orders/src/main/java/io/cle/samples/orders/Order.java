package io.cle.samples.orders;

/**
 * An order that has not been done yet.
 *
 * @param id its number
 * @param customer the customer; the key that assigns orders to shards
 */
record Order(long id, String customer) {}
