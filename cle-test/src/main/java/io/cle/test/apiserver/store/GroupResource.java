package io.cle.test.apiserver.store;

/**
 * A kind of objects as the store distinguishes them: API group and plural, whatever version they are asked for in.
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
