package io.cle.test.apiserver.store;

/**
 * A kind of objects in the store: API group and plural, for all versions.
 *
 * @param group the API group, empty for the core one
 * @param resource the plural, such as {@code leases}
 */
public record GroupResource(String group, String resource) {

    @Override
    public String toString() {
        return group.isEmpty() ? resource : resource + "." + group;
    }
}
