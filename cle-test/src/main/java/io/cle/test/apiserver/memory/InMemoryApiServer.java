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
 * An API server as a function: a request goes in, a response or a watch comes out. No HTTP, no thread, no clock of its own,
 * so that a simulation can run thousands of requests in a moment, all of them the same from one run to the next.
 *
 * <p>Custom resources are there once their definitions have been {@link #define defined}. Not thread-safe: between threads,
 * everything (requests, watches' start and end, controls) goes under one lock.
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

    /** The paths of the last requests, taken apart: most requests are for few objects, again and again. */
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
     * @param uids gives a new uid at each call
     * @param namespacesOnDemand whether creating an object also creates the namespace that it is to stand in; a real one
     *     answers 404 instead
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

    /** Answers a request. Never throws for what a client can do wrong: that is an answer, too. */
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

    /** Serves what a CustomResourceDefinition defines, as if it had been created or put. */
    public void define(JsonObject customResourceDefinition) {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ServerResponse response = handle(ApiServerRequest.post(path, customResourceDefinition));
        if (response.code() >= 300) {
            throw new IllegalArgumentException("not a CustomResourceDefinition that can be served: " + response);
        }
    }

    /**
     * Begins or ceases to offer Kubernetes' own coordinated leader election. Not offered at first. LeaseCandidates that are
     * there stay, unseen; watches on them end.
     */
    public void serveNative(NativeApi offered) {
        serveNative(offered, List.of("v1beta1"));
    }

    /**
     * As {@link #serveNative(NativeApi)}, with the versions of {@code coordination.k8s.io} in which LeaseCandidates are served. They show the
     * same objects; watches in a version that is served no more end.
     */
    public void serveNative(NativeApi offered, List<String> versions) {
        List<ApiResource> before = List.copyOf(catalog.all());
        catalog.serveNative(offered == NativeApi.NOT_SERVED ? List.of() : versions, offered == NativeApi.SERVED);
        before.stream().filter(type -> !catalog.all().contains(type)).forEach(this::endWatchesOf);
    }

    /**
     * Takes a right away: such requests are answered with 403 until {@link #allowAll()}.
     *
     * @param verb one of Kubernetes' verbs, or {@code *}
     * @param resource the plural, with or without the group ({@code leases.coordination.k8s.io}), or {@code *}
     * @param namespace the namespace, or {@code *}, which includes requests for all of them
     */
    public void deny(String verb, String resource, String namespace) {
        access.deny(verb, resource, namespace);
    }

    /** Gives all rights back. */
    public void allowAll() {
        access.allowAll();
    }

    /** Forgets what has happened: watches from before now are answered with 410. Open ones go on. */
    public void compact() {
        store.compact();
    }

    /** All objects as they are now, as in a backup of etcd. */
    public ObjectStore.Backup backUp() {
        return store.backUp();
    }

    /**
     * Goes back to the state of a backup, as after a restore of etcd without {@code --bump-revision}: later writes are lost, and resourceVersions
     * run backwards. What was defined stays defined. End the open watches, too ({@link #dropWatches()}): a real server has to be restarted
     * for this.
     */
    public void restore(ObjectStore.Backup backup) {
        store.restore(backup);
    }

    /** Passes over resourceVersions, as writes to other objects do. */
    public void skipResourceVersions(long count) {
        store.skip(count);
    }

    /** Ends all open watches, as a server does at a timeout. Clients may go on from where they were. */
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
