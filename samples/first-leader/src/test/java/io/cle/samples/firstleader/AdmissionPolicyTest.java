package io.cle.samples.firstleader;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import com.marcnuri.helm.Helm;
import io.cle.ApiFormat;
import io.cle.election.internal.ElectionPolicy;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.real.CurrentApiServer;
import io.cle.test.apiserver.real.EnabledIfCurrentApiServer;
import io.cle.test.coordinator.EmbeddedCoordinator;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The policies with a current kube-apiserver's own compiler and admission plugin, without a complete server. */
@EnabledIfCurrentApiServer
class AdmissionPolicyTest extends AdmissionPolicyContract {

    private static final Path MANIFESTS = JarProcess.ROOT.resolve("cle-coordinator-app/deploy/helm/files");
    private static final List<Path> POLICIES = Stream.of("candidates", "leases", "pods")
            .map(kind -> MANIFESTS.resolve("admission-policy/" + kind + ".yaml"))
            .toList();

    @TempDir
    static Path folder;

    private Process reviewer;
    private BufferedWriter requests;
    private BufferedReader responses;
    private int reviewed;

    @BeforeEach
    void countReviews() {
        reviewed = 0;
    }

    @BeforeAll
    void start() throws IOException {
        Path namespace = Files.writeString(folder.resolve("namespace.yaml"), """
                apiVersion: v1
                kind: Namespace
                metadata: {name: shop, labels: {coordination.cle.io/strict: "true"}}
                """);
        reviewer = new ProcessBuilder(
                        command("review", List.of(POLICIES.get(0), POLICIES.get(1), POLICIES.get(2), namespace)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        requests = reviewer.outputWriter();
        responses = reviewer.inputReader();
    }

    @AfterAll
    void stop() {
        reviewer.destroyForcibly();
    }

    @Override
    Optional<String> refuses(Review review) {
        try {
            requests.write(new Gson().toJson(review.request(uid(review.account().pod()))));
            requests.newLine();
            requests.flush();
            JsonObject response = JsonParser.parseString(responses.readLine()).getAsJsonObject();
            return response.get("allowed").getAsBoolean()
                    ? Optional.empty()
                    : Optional.of(
                            response.getAsJsonObject("status").get("message").getAsString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    String uid(String pod) {
        return "uid-of-" + pod;
    }

    /** Runs a scenario on an API server without policies; returns the writes that the policies refuse. */
    private List<String> refusals(ApiFormat format, boolean coordinated) throws Exception {
        List<String> refusals = new CopyOnWriteArrayList<>();
        try (EmbeddedApiServer server = EmbeddedApiServer.builder()
                .serveNative(format == ApiFormat.NATIVE)
                .start()) {
            StrictProcesses processes = new StrictProcesses(
                    format,
                    // In the native format, kube-apiserver's own coordinator leaves this strategy to ours.
                    "coordination.cle.io/OldestCompatibilityVersion",
                    pod -> {
                        ApiClient client =
                                new ClientBuilder().setBasePath(server.url()).build();
                        client.setHttpClient(client.getHttpClient()
                                .newBuilder()
                                .addInterceptor(chain -> reviewed(chain, Review.pod(pod), refusals))
                                .build());
                        return KubernetesAccess.of(client);
                    },
                    this::uid);
            if (coordinated) {
                try (EmbeddedCoordinator coordinator = EmbeddedCoordinator.start(
                        server.url(), format, ElectionPolicy.DEFAULT, Duration.ofSeconds(5))) {
                    assertThat(coordinator.loop()).isNotNull();
                    processes.areElectedAndYield();
                }
            } else {
                processes.raceAndResign();
            }
        }
        assertThat(reviewed).as("writes").isGreaterThan(8);
        return refusals;
    }

    /** Reviews the change that a request has made. No other write intervenes, because the write compares the version. */
    private Response reviewed(Interceptor.Chain chain, Review.Account account, List<String> refusals)
            throws IOException {
        Request request = chain.request();
        HttpUrl url = request.url();
        boolean write = !request.method().equals("GET") && url.encodedPath().contains("/namespaces/shop/lease");
        if (!write || url.queryParameter("dryRun") != null) {
            return chain.proceed(request);
        }
        Map<String, Object> before = null;
        if (!request.method().equals("POST")) {
            try (Response read = chain.proceed(request.newBuilder().get().build())) {
                before = object(read.peekBody(Long.MAX_VALUE).string());
            }
        }
        Response response = chain.proceed(request);
        if (response.isSuccessful()) {
            boolean deleted = request.method().equals("DELETE");
            Map<String, Object> after =
                    deleted ? null : object(response.peekBody(Long.MAX_VALUE).string());
            String kind = url.encodedPath().contains("/leasecandidates") ? "LeaseCandidate" : "Lease";
            Review review = Review.of(account, kind, after, before);
            synchronized (this) {
                reviewed++;
                refuses(review).ifPresent(message -> refusals.add(message + ": " + before(review) + " -> " + after));
            }
        }
        return response;
    }

    private static String before(Review review) {
        return String.valueOf(review.before());
    }

    private static Map<String, Object> object(String json) {
        return new GsonBuilder()
                .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
                .create()
                .fromJson(json, new TypeToken<Map<String, Object>>() {}.getType());
    }

    @Test
    void noWriteOfCandidatesThatRaceIsRefused() throws Exception {
        assertThat(refusals(ApiFormat.CRD, false)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ApiFormat.class)
    void noWriteOfCandidatesThatAreElectedIsRefused(ApiFormat format) throws Exception {
        assertThat(refusals(format, true)).isEmpty();
    }

    private static List<String> command(String what, List<Path> files) {
        List<String> command =
                new ArrayList<>(List.of(CurrentApiServer.program().toString(), what));
        files.forEach(file -> command.add(file.toString()));
        return command;
    }

    /** Returns a server's errors for creating the objects of the files; empty if there are none. */
    private static String problems(Path... files) throws IOException {
        Path output = folder.resolve("problems");
        Process compiler = new ProcessBuilder(command("compile", List.of(files)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        compiler.onExit().join();
        String problems = Files.readString(output);
        assertThat(problems.isEmpty()).as(problems).isEqualTo(compiler.exitValue() == 0);
        return problems;
    }

    @Test
    void everyExpressionCompiles() throws IOException {
        assertThat(problems(POLICIES.toArray(Path[]::new))).isEmpty();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is for Linux on amd64")
    void everyExpressionOfTheChartCompiles() throws IOException {
        String rendered = new Helm(MANIFESTS.getParent())
                .template()
                .withName("elections")
                .withNamespace("platform")
                .set("admissionPolicy.enabled", "true")
                .call();
        List<String> policies = List.of(rendered.split("\n---\n")).stream()
                .filter(document -> document.contains("\nkind: ValidatingAdmissionPolicy"))
                .toList();

        assertThat(policies).hasSize(6);
        assertThat(problems(Files.writeString(folder.resolve("chart.yaml"), String.join("\n---\n", policies))))
                .isEmpty();
    }

    /** kube-apiserver refused the policy because of two such lists, which standalone evaluators of the language accept. */
    @Test
    void aListOfTextAndOfWhatIsKnownOnlyWhenItIsEvaluatedDoesNotCompile() throws IOException {
        assertThat(problems(Files.writeString(folder.resolve("refused.yaml"), """
                        apiVersion: admissionregistration.k8s.io/v1
                        kind: ValidatingAdmissionPolicy
                        metadata: {name: refused}
                        spec:
                          matchConstraints: {resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"]}]}
                          validations:
                          - expression: "'a' in ['', object.metadata.name]"
                        """)))
                .contains("expected type 'string' but found 'dyn'");
    }
}
