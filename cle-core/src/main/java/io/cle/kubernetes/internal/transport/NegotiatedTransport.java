package io.cle.kubernetes.internal.transport;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import com.google.gson.JsonObject;
import io.cle.api.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests for Kubernetes' own LeaseCandidates in a version of their API that the API server serves. Kubernetes 1.32 serves
 * {@code v1alpha2}, 1.33 {@code v1beta1} in its place, and 1.36 both; {@code v1beta1} is announced to go in 1.39, after a {@code v1} that isn't
 * there yet. All of them show the same objects with the same fields. So the rest of this program knows one type,
 * {@link ResourceType#NATIVE_CANDIDATES}, and when an API server drops the version in use, the watches and writes that fail are repeated in
 * another one; no candidate is announced anew, and no term ends.
 *
 * <p>Kubernetes 1.31's {@code v1alpha1} has other fields ({@code preferredStrategies}) and isn't used.
 */
public final class NegotiatedTransport implements KubernetesTransport {

    /** The versions that can be used, the one to prefer first. */
    public static final List<ResourceType> VERSIONS = List.of(
            ResourceType.NATIVE_CANDIDATES.inVersion("v1"),
            ResourceType.NATIVE_CANDIDATES,
            ResourceType.NATIVE_CANDIDATES.inVersion("v1alpha2"));

    private final KubernetesTransport transport;
    private volatile ResourceType candidates = ResourceType.NATIVE_CANDIDATES;

    /** Sends by another transport, in {@code v1beta1} until {@link #use} names another version. */
    public NegotiatedTransport(KubernetesTransport transport) {
        this.transport = transport;
    }

    /**
     * Sends requests for native candidates in this version from now on. A watch that is open stays open in its own.
     *
     * @param version one of {@link #VERSIONS}
     */
    public void use(ResourceType version) {
        if (!VERSIONS.contains(version)) {
            throw new IllegalArgumentException(
                    version.apiVersion() + " isn't a version of native candidates: " + VERSIONS);
        }
        candidates = version;
    }

    @Override
    public CompletionStage<ApiResponse> send(ApiRequest request) {
        return transport.send(negotiated(request));
    }

    @Override
    public CompletionStage<ApiResponse> list(ApiRequest request, Consumer<JsonObject> items) {
        return transport.list(negotiated(request), items);
    }

    @Override
    public Subscription watch(ApiRequest request, WatchStream stream) {
        return transport.watch(negotiated(request), stream);
    }

    @Override
    public void close() {
        transport.close();
    }

    private ApiRequest negotiated(ApiRequest request) {
        ResourceType version = candidates;
        if (!request.resource().equals(ResourceType.NATIVE_CANDIDATES) || version.equals(request.resource())) {
            return request;
        }
        return new ApiRequest(
                request.verb(),
                version,
                request.namespace(),
                request.name(),
                request.query(),
                inVersion(version, request.body()),
                request.timeout());
    }

    private static @Nullable JsonObject inVersion(ResourceType version, @Nullable JsonObject body) {
        if (body == null || !body.has("apiVersion")) {
            return body;
        }
        JsonObject changed = new JsonObject();
        body.asMap().forEach(changed::add);
        changed.addProperty("apiVersion", version.apiVersion());
        return changed;
    }
}
