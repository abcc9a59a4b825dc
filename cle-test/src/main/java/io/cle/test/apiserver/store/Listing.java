package io.cle.test.apiserver.store;

import java.util.List;

import com.google.gson.JsonObject;

/**
 * The objects of one kind at one moment.
 *
 * @param resourceVersion the moment, from which a watch can continue without a gap
 * @param items the objects in order of namespace and name; shared, not to be changed
 */
public record Listing(long resourceVersion, List<JsonObject> items) {}
