package io.cle.test.apiserver.memory;

import java.util.Objects;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.resource.ResourceCatalog;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.GroupResource;
import io.cle.test.apiserver.store.ObjectStore;

/** Creates namespaces, and empties deleted ones. */
final class Namespaces {

    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    private final ObjectStore store;
    private final ResourceCatalog catalog;
    private final boolean onDemand;

    Namespaces(ObjectStore store, ResourceCatalog catalog, boolean onDemand) {
        this.store = store;
        this.catalog = catalog;
        this.onDemand = onDemand;
        create("default");
        create("kube-system");
    }

    /** Throws 404 if the namespace of a new object doesn't exist, or creates it on demand. */
    void require(ApiResource type, String namespace) {
        if (!type.namespaced()) {
            return;
        }
        if (namespace.isEmpty()) {
            throw ApiFailure.badRequest("an empty namespace may not be set during creation");
        }
        if (store.get(NAMESPACES, "", namespace) == null) {
            if (!onDemand) {
                throw ApiFailure.notFound("", "namespaces", namespace);
            }
            create(namespace);
        }
    }

    /** Deletes all objects of a namespace, as Kubernetes' namespace controller would. */
    void empty(String namespace) {
        for (ApiResource type : catalog.all()) {
            if (type.namespaced()) {
                store.list(type.groupResource(), namespace, object -> true)
                        .items()
                        .forEach(object -> store.delete(type.groupResource(), object));
            }
        }
    }

    private void create(String name) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        JsonObject namespace = new JsonObject();
        namespace.add("metadata", metadata);
        IncomingObject.normalize(
                Objects.requireNonNull(catalog.find(ApiResource.address("", "v1", "namespaces"))), namespace);
        store.create(NAMESPACES, namespace);
    }
}
