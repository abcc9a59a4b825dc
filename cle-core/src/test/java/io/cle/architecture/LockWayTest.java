package io.cle.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.store.internal.Subscription;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A lock's path from a watch event to the next write is the one that {@code architecture.md} shows. */
class LockWayTest {

    private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w+)`");
    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Set<String> ON_THE_WAY = way();

    @Test
    void itHasThirteenTypesAtMostAndEachNameIsOneOfTheProduct() {
        Map<String, Long> named = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPath(Path.of("target", "classes"))
                        .stream()
                        .filter(JavaClass::isTopLevelClass)
                        .map(JavaClass::getSimpleName)
                        .filter(ON_THE_WAY::contains)
                        .collect(Collectors.groupingBy(name -> name, Collectors.counting()));

        assertThat(ON_THE_WAY).hasSizeLessThanOrEqualTo(13);
        assertThat(named.keySet()).isEqualTo(ON_THE_WAY);
        assertThat(named.values()).containsOnly(1L);
    }

    @Test
    void nothingElseHandsAnEventOnToTheWriteThatFollowsFromIt() {
        Server server = new Server();
        VirtualLoop loop = new VirtualLoop();
        ObjectClient client = new ObjectClient(server, loop, new SplittableRandom(1), Duration.ofSeconds(5));
        Candidate candidate =
                Candidate.builder(new ObjectKey("shop", "orders-a"), LEASE).build();
        LockConfig config = new LockConfig(
                LEASE,
                "orders-a",
                Timings.DEFAULT,
                Duration.ofSeconds(30),
                new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                new LockConfig.Candidacy(candidate, Duration.ofMinutes(5)),
                null,
                Duration.ofNanos(1000));
        new LeaseLock(
                        config,
                        new LockStores(
                                        LeaseClient.of(client, ApiFormat.CRD, null),
                                        new CandidateClient(client, ResourceType.CRD_CANDIDATES))
                                .always(),
                        Entropy.system(),
                        LockThreads.of(loop, Runnable::run))
                .start();
        loop.runReady();

        server.leaseWatch.onEvent(FakeTransport.json("""
                {'type': 'ADDED', 'object': {'metadata': {'name': 'orders', 'namespace': 'shop', 'resourceVersion': '7',
                  'annotations': {'coordination.k8s.io/elected-by': 'coordinated-election-controller'}},
                 'spec': {'holderIdentity': 'orders-a', 'leaseDurationSeconds': 5, 'leaseTransitions': 1,
                  'acquireTime': '2026-01-01T00:00:00.000000Z', 'renewTime': '2026-01-01T00:00:00.000000Z'}}}"""));
        loop.runReady();

        assertThat(server.carriers)
                .contains("Reflector", "EventLoop", "LeaseLock", "ObjectClient")
                .isSubsetOf(ON_THE_WAY);
    }

    /** Serves no objects, and records which types of the product are on the stack when a Lease is written. */
    private static final class Server implements KubernetesTransport {
        private final Set<String> carriers = new TreeSet<>();
        private WatchStream leaseWatch;

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            if (request.verb() == Verb.LIST) {
                return CompletableFuture.completedFuture(new ApiResponse.Answered(
                        200, FakeTransport.json("{'metadata': {'resourceVersion': '1'}, 'items': []}"), null));
            }
            if (request.verb() == Verb.PATCH && request.resource().equals(ResourceType.LEASES)) {
                carriers.addAll(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                        .walk(frames -> frames.map(
                                        frame -> frame.getDeclaringClass().getNestHost())
                                .filter(type -> type.getName().startsWith("io.cle."))
                                .filter(type -> !List.of(LockWayTest.class, VirtualLoop.class)
                                        .contains(type))
                                .map(Class::getSimpleName)
                                .toList()));
            }
            return new CompletableFuture<>();
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            if (request.resource().equals(ResourceType.LEASES)) {
                leaseWatch = stream;
            }
            return () -> {};
        }

        @Override
        public void close() {}
    }

    private static Set<String> way() {
        try {
            String page = Files.readString(Path.of("..", "docs", "architecture.md"));
            String table = page.substring(page.indexOf("The way of a lock"), page.indexOf("Beside it:"));
            return TYPE.matcher(table)
                    .results()
                    .map((MatchResult name) -> name.group(1))
                    .filter(name -> !name.equals("LockWayTest"))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
