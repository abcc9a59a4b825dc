package io.cle.test.apiserver.memory;

import java.math.BigInteger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.resource.ResourceCatalog;
import io.cle.test.apiserver.status.ApiFailure;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.apiserver.store.ObjectStore;

/**
 * An API server as a function: a request goes in, a response or a watch comes out. It has no HTTP, no thread and no
 * clock of its own, which makes simulations fast and reproducible.
 *
 * <p>Custom resources are served once their definitions are {@link #define defined}. Not thread-safe: callers on
 * several threads guard everything (requests, watches' start and end, controls) with one lock.
 */
public final class InMemoryApiServer {

    private static final int MOST_PATHS = 64;

    private final ObjectStore store;
    private final ResourceCatalog catalog = new ResourceCatalog();
    private final AccessRules access = new AccessRules();
    private final Set<WatchStream> openWatches = new LinkedHashSet<>();
    private final Map<String, Map<String, Counter>> counts = new LinkedHashMap<>();
    private final Namespaces namespaces;
    private final Discovery discovery = new Discovery(catalog);
    private final Reads reads;
    private final Writes writes;

    /** Parsed paths of the last requests; most requests are for the same few objects. */
    private final Map<String, RequestPath> paths = new LinkedHashMap<>(MOST_PATHS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RequestPath> eldest) {
            return size() > MOST_PATHS;
        }
    };

    /**
     * A fresh server with the namespaces {@code default} and {@code kube-system}.
     *
     * @param wallClock for timestamps and the ages in tables
     * @param uids returns a new uid per call
     * @param namespacesOnDemand whether creating an object also creates its namespace; a real server returns 404 instead
     */
    public InMemoryApiServer(Supplier<Instant> wallClock, Supplier<String> uids, boolean namespacesOnDemand) {
        this(new ObjectStore(wallClock, uids), wallClock, namespacesOnDemand);
    }

    /**
     * A fresh server whose resourceVersions have any number of digits.
     *
     * @param before the version before the first one
     */
    public InMemoryApiServer(
            Supplier<Instant> wallClock, Supplier<String> uids, boolean namespacesOnDemand, BigInteger before) {
        this(new ObjectStore(wallClock, uids, before), wallClock, namespacesOnDemand);
    }

    private InMemoryApiServer(ObjectStore empty, Supplier<Instant> wallClock, boolean namespacesOnDemand) {
        store = empty;
        namespaces = new Namespaces(store, catalog, namespacesOnDemand);
        reads = new Reads(store, wallClock, openWatches);
        writes = new Writes(store, namespaces, this::written);
    }

    /** Handles a request. Client errors are returned as responses, never thrown. */
    public ServerResponse handle(ApiServerRequest request) {
        try {
            RequestPath path = paths.computeIfAbsent(request.path(), RequestPath::parse);
            if (path == null) {
                return discovery.handle(request);
            }
            if (path.group().equals("authorization.k8s.io") && path.plural().equals("selfsubjectaccessreviews")) {
                return review(request);
            }
            ApiResource type = catalog.find(path.address());
            return type == null ? discovery.notServed() : handle(type, path, request);
        } catch (ApiFailure failure) {
            return new ServerResponse.Answer(failure.code(), failure.toStatus());
        }
    }

    private ServerResponse handle(ApiResource type, RequestPath path, ApiServerRequest request) {
        String verb = verb(path, request);
        counts.computeIfAbsent(verb, unused -> new LinkedHashMap<>())
                .computeIfAbsent(path.plural(), unused -> new Counter())
                .count++;
        access.check(verb, type.groupResource(), path.namespace(), path.name());
        if (path.subresource() != null && !(path.subresource().equals("status") && type.statusSubresource())) {
            return discovery.notServed();
        }
        return switch (verb) {
            case "get" -> reads.get(type, path, request);
            case "list" -> reads.list(type, path, request);
            case "watch" -> reads.watch(type, path, request);
            case "create" -> writes.create(type, path, request);
            case "update" -> writes.update(type, path, request);
            case "patch" -> writes.patch(type, path, request);
            default -> writes.delete(type, path, request);
        };
    }

    private static String verb(RequestPath path, ApiServerRequest request) {
        boolean one = path.name() != null;
        return switch (request.method()) {
            case "GET" -> request.isSet("watch") ? "watch" : one ? "get" : "list";
            case "POST" -> onlyIf(!one, "create");
            case "PUT" -> onlyIf(one, "update");
            case "PATCH" -> onlyIf(one, "patch");
            case "DELETE" -> onlyIf(one, "delete");
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private static String onlyIf(boolean possible, String verb) {
        if (!possible) {
            throw ApiFailure.methodNotAllowed();
        }
        return verb;
    }

    private ServerResponse review(ApiServerRequest request) {
        if (!request.method().equals("POST") || !(request.body() instanceof JsonObject review)) {
            throw ApiFailure.methodNotAllowed();
        }
        return new ServerResponse.Answer(201, access.review(review));
    }

    /** Creates a CustomResourceDefinition, and serves its kinds. */
    public void define(JsonObject customResourceDefinition) {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ServerResponse response = handle(ApiServerRequest.post(path, customResourceDefinition));
        if (response.code() >= 300) {
            throw new IllegalArgumentException("not a CustomResourceDefinition that can be served: " + response);
        }
    }

    /**
     * Starts or stops offering Kubernetes' own coordinated leader election; off by default. LeaseCandidates are kept but hidden; watches on them end.
     */
    public void serveNative(NativeApi offered) {
        serveNative(offered, List.of("v1beta1"));
    }

    /**
     * Like {@link #serveNative(NativeApi)}, with the versions of {@code coordination.k8s.io} in which LeaseCandidates
     * are served. They have the same objects; watches in a version that is no longer served end.
     */
    public void serveNative(NativeApi offered, List<String> versions) {
        List<ApiResource> before = List.copyOf(catalog.all());
        catalog.serveNative(offered == NativeApi.NOT_SERVED ? List.of() : versions, offered == NativeApi.SERVED);
        before.stream().filter(type -> !catalog.all().contains(type)).forEach(this::endWatchesOf);
    }

    /**
     * Denies a permission: matching requests fail with 403 until {@link #allowAll()}.
     *
     * @param verb one of Kubernetes' verbs, or {@code *}
     * @param resource the plural, with or without the group ({@code leases.coordination.k8s.io}), or {@code *}
     * @param namespace the namespace, or {@code *}, which includes requests for all of them
     */
    public void deny(String verb, String resource, String namespace) {
        access.deny(verb, resource, namespace);
    }

    /** Restores all permissions. */
    public void allowAll() {
        access.allowAll();
    }

    /** Discards the history: new watches from before now fail with 410; open ones continue. */
    public void compact() {
        store.compact();
    }

    /** Returns all current objects, as in a backup of etcd. */
    public ObjectStore.Backup backUp() {
        return store.backUp();
    }

    /**
     * Restores a backup, like a restore of etcd without {@code --bump-revision}: later writes are lost, and
     * resourceVersions go backwards. Defined kinds stay defined. Also end the open watches ({@link #dropWatches()}),
     * because a real server has to be restarted for this.
     */
    public void restore(ObjectStore.Backup backup) {
        store.restore(backup);
    }

    /** Skips resourceVersions, as writes to other objects do. */
    public void skipResourceVersions(long count) {
        store.skip(count);
    }

    /** Ends all open watches, as a server does at a timeout. Clients may resume where they were. */
    public void dropWatches() {
        List.copyOf(openWatches).forEach(WatchStream::end);
    }

    /** Compacts, and ends all open watches with an {@code ERROR} of 410: clients must list again. */
    public void expireWatches() {
        compact();
        List.copyOf(openWatches)
                .forEach(watch ->
                        watch.fail(ApiFailure.expired("The resourceVersion for the provided watch is too old.")));
    }

    /** The requests for objects so far. */
    public RequestCounts requests() {
        Map<String, Long> copy = new LinkedHashMap<>();
        counts.forEach((verb, byResource) ->
                byResource.forEach((resource, counter) -> copy.put(verb + " " + resource, counter.count)));
        return new RequestCounts(copy);
    }

    /** The resourceVersion of the last write. */
    public long resourceVersion() {
        return store.resourceVersion();
    }

    private void written(ApiResource type, JsonObject object) {
        if (type.namespaced() || type.custom()) {
            return;
        }
        String name = Metadata.name(object);
        boolean gone = store.get(type.groupResource(), "", name) == null;
        if (type.plural().equals("customresourcedefinitions")) {
            if (gone) {
                undefine(name);
            } else {
                catalog.define(name, object);
            }
        } else if (gone && type.plural().equals("namespaces")) {
            namespaces.empty(name);
        }
    }

    private void undefine(String name) {
        Predicate<JsonObject> all = object -> true;
        for (ApiResource type : catalog.undefine(name)) {
            store.list(type.groupResource(), null, all)
                    .items()
                    .forEach(object -> store.delete(type.groupResource(), object));
            endWatchesOf(type);
        }
    }

    private void endWatchesOf(ApiResource type) {
        List.copyOf(openWatches).stream().filter(watch -> watch.isOf(type)).forEach(WatchStream::end);
    }

    private static final class Counter {
        private long count;
    }
}
