package io.cle.model;

/**
 * The pod that a candidate runs in, as its owner reference says.
 *
 * @param key the pod's namespace and name
 * @param uid the pod's uid; another pod of the same name has another
 */
public record PodRef(ObjectKey key, String uid) {}
