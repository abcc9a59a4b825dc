package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the admission policies' expressions say about single requests, by an evaluator of the same language; {@link
 * AdmissionPolicyOnApiServerTest} asks a server that knows policies.
 */
class AdmissionPolicyTest {

    private static final Path FOLDER = JarProcess.ROOT.resolve("cle-coordinator-app/deploy/admission-policy");
    private static final String APPLICATION = "system:serviceaccount:shop:orders";
    private static final String COORDINATOR = "system:serviceaccount:cle-system:cle-coordinator";
    private static final String OURS = "orders-a-x2k9z";
    private static final String OTHERS = "orders-b-7f9cq";

    /** One policy. */
    static final class Policy {
        private static final List<String> NAMES = List.of("object", "oldObject", "request", "variables");
        private final Map<String, Object> spec;
        private final CelCompiler compiler;
        private final CelRuntime runtime = CelRuntimeFactory.standardCelRuntimeBuilder()
                .addLibraries(CelExtensions.strings())
                .build();

        @SuppressWarnings("unchecked")
        Policy(String file) {
            var builder = CelCompilerFactory.standardCelCompilerBuilder()
                    .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                    .addLibraries(CelExtensions.strings());
            NAMES.forEach(name -> builder.addVar(name, SimpleType.DYN));
            compiler = builder.build();
            try {
                Map<String, Object> document = (Map<String, Object>) new Yaml()
                        .loadAll(Files.readString(FOLDER.resolve(file)))
                        .iterator()
                        .next();
                spec = (Map<String, Object>) document.get("spec");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Why a request is refused; empty if it isn't, or if the policy doesn't apply to it. */
        Optional<String> refuses(
                Map<String, Object> request, Map<String, Object> object, Map<String, Object> oldObject) {
            Map<String, Object> variables = new HashMap<>();
            Map<String, Object> input = new HashMap<>(Map.of("request", request, "variables", variables));
            input.put("object", object);
            input.put("oldObject", oldObject);
            for (Map<String, String> condition : list("matchConditions")) {
                String expression = condition.get("expression");
                // Here no account is an administrator.
                if (!expression.contains("authorizer.") && !Boolean.TRUE.equals(evaluate(expression, input))) {
                    return Optional.empty();
                }
            }
            for (Map<String, String> variable : list("variables")) {
                variables.put(variable.get("name"), evaluate(variable.get("expression"), input));
            }
            return list("validations").stream()
                    .filter(validation -> !Boolean.TRUE.equals(evaluate(validation.get("expression"), input)))
                    .map(validation -> validation.get("message"))
                    .findFirst();
        }

        private Object evaluate(String expression, Map<String, Object> input) {
            try {
                return runtime.createProgram(compiler.compile(expression).getAst())
                        .eval(input);
            } catch (Exception e) {
                throw new AssertionError(expression + ": " + e.getMessage(), e);
            }
        }

        @SuppressWarnings("unchecked")
        private List<Map<String, String>> list(String field) {
            return (List<Map<String, String>>) spec.get(field);
        }
    }

    static Map<String, Object> request(String operation, String user, String pod) {
        Map<String, Object> userInfo = new HashMap<>(Map.of("username", user));
        if (!pod.isEmpty()) {
            userInfo.put(
                    "extra",
                    Map.of(
                            "authentication.kubernetes.io/pod-name", List.of(pod),
                            "authentication.kubernetes.io/pod-uid", List.of("uid-of-" + pod)));
        }
        return Map.of("operation", operation, "namespace", "shop", "userInfo", userInfo);
    }

    @Nested
    class OnCandidates {

        private final Policy policy = new Policy("candidates.yaml");

        private Map<String, Object> candidate(String name, String lease, String ownerPod) {
            return Map.of(
                    "metadata",
                    ownerPod.isEmpty()
                            ? Map.of("name", name, "namespace", "shop")
                            : Map.of(
                                    "name",
                                    name,
                                    "namespace",
                                    "shop",
                                    "ownerReferences",
                                    List.of(Map.of(
                                            "apiVersion",
                                            "v1",
                                            "kind",
                                            "Pod",
                                            "name",
                                            ownerPod,
                                            "uid",
                                            "uid-of-" + ownerPod))),
                    "spec",
                    Map.of("canLeadLease", lease));
        }

        private Optional<String> created(String user, String pod, Map<String, Object> candidate) {
            return policy.refuses(request("CREATE", user, pod), candidate, null);
        }

        @Test
        void letAPodCreateAndRenewAndWithdrawItsOwn() {
            Map<String, Object> own = candidate(OURS, "shop/orders", "a");

            assertThat(created(APPLICATION, "a", own)).isEmpty();
            assertThat(policy.refuses(request("UPDATE", APPLICATION, "a"), own, own))
                    .isEmpty();
            assertThat(policy.refuses(request("DELETE", APPLICATION, "a"), null, own))
                    .isEmpty();
        }

        @Test
        void letAPodCreateItsOwnInTheNativeFormat() {
            Map<String, Object> own = new HashMap<>(candidate(OURS, "", "a"));
            own.put("spec", Map.of("leaseName", "orders"));

            assertThat(created(APPLICATION, "a", own)).isEmpty();
        }

        @Test
        void refuseAnOwnerThatIsAnotherPodOrNone() {
            assertThat(created(APPLICATION, "a", candidate(OURS, "shop/orders", "b")))
                    .hasValueSatisfying(message -> assertThat(message).contains("only owner"));
            assertThat(created(APPLICATION, "a", candidate(OURS, "shop/orders", "")))
                    .isPresent();
        }

        @Test
        void refuseATokenThatIsBoundToNoPod() {
            assertThat(created(APPLICATION, "", candidate(OURS, "shop/orders", "a")))
                    .isPresent();
        }

        @Test
        void refuseANameOfAnotherPodOrAnotherLease() {
            assertThat(created(APPLICATION, "a", candidate(OTHERS, "shop/orders", "a")))
                    .isPresent();
            assertThat(created(APPLICATION, "a", candidate("invoices-a-x2k9z", "shop/orders", "a")))
                    .isPresent();
            assertThat(created(APPLICATION, "a", candidate("orders-a", "shop/orders", "a")))
                    .isPresent();
        }

        @Test
        void refuseALeaseOfAnotherNamespace() {
            assertThat(created(APPLICATION, "a", candidate(OURS, "billing/orders", "a")))
                    .isPresent();
        }

        @Test
        void refuseToChangeOrDeleteTheCandidateOfAnotherPod() {
            Map<String, Object> own = candidate(OURS, "shop/orders", "a");
            Map<String, Object> others = candidate(OURS, "shop/orders", "b");

            assertThat(policy.refuses(request("UPDATE", APPLICATION, "a"), own, others))
                    .isPresent();
            assertThat(policy.refuses(request("DELETE", APPLICATION, "a"), null, others))
                    .isPresent();
        }

        @Test
        void letTheCoordinatorPingAndTheGarbageCollectorDelete() {
            Map<String, Object> others = candidate(OTHERS, "shop/orders", "b");

            assertThat(policy.refuses(request("UPDATE", COORDINATOR, "c"), others, others))
                    .isEmpty();
            assertThat(policy.refuses(
                            request("DELETE", "system:serviceaccount:kube-system:generic-garbage-collector", ""),
                            null,
                            others))
                    .isEmpty();
        }
    }

    @Nested
    class OnLeases {

        private final Policy policy = new Policy("leases.yaml");

        private Map<String, Object> lease(String holder) {
            return Map.of(
                    "metadata",
                    Map.of("name", "orders", "namespace", "shop"),
                    "spec",
                    Map.of("holderIdentity", holder, "leaseDurationSeconds", 5L));
        }

        private Map<String, Object> marked(String holder, String preferred) {
            return Map.of(
                    "metadata",
                    Map.of(
                            "name", "orders",
                            "namespace", "shop",
                            "annotations", Map.of("coordination.k8s.io/preferred-holder", preferred)),
                    "spec",
                    Map.of("holderIdentity", holder));
        }

        /** What a pod of the application is told when it changes the Lease. */
        private Optional<String> changed(Map<String, Object> from, Map<String, Object> to) {
            return policy.refuses(request("UPDATE", APPLICATION, "a"), to, from);
        }

        @Test
        void letTheHoldersPodRenewAndRelease() {
            assertThat(changed(lease(OURS), lease(OURS))).isEmpty();
            assertThat(changed(lease(OURS), lease(""))).isEmpty();
        }

        @Test
        void letTheHolderOfADirectLockRenew() {
            assertThat(changed(lease("a-x2k9z"), lease("a-x2k9z"))).isEmpty();
        }

        /** First the preferred holder, then the holder: the Lease would be a ghost's for 68 years. */
        @Test
        void refuseTheTwoStepsByWhichAHolderGivesItsLeaseToAGhost() {
            assertThat(changed(lease(OURS), marked(OURS, "ghost")))
                    .hasValueSatisfying(message -> assertThat(message).contains("set by the coordinator"));
            assertThat(changed(marked(OURS, "ghost"), lease("ghost", Integer.MAX_VALUE)))
                    .hasValueSatisfying(message -> assertThat(message).contains("five seconds"));
            assertThat(changed(lease(OURS), lease("ghost"))).isPresent();
        }

        private Map<String, Object> lease(String holder, long seconds) {
            Map<String, Object> lease = new HashMap<>(lease(holder));
            lease.put("spec", Map.of("holderIdentity", holder, "leaseDurationSeconds", seconds));
            return lease;
        }

        @Test
        void refuseToWriteALeaseThatAnotherPodHolds() {
            for (String holder : List.of(OURS, OTHERS, "")) {
                assertThat(changed(lease(OTHERS), lease(holder))).as(holder).isPresent();
            }
        }

        @Test
        void refuseAHolderWhoseNameOnlyBeginsOrEndsLikeThePod() {
            for (String holder : List.of("orders-a-b-x2k9z", "orders-aa-x2k9z", "orders-b-a-x2k9z", "orders-a", "a")) {
                assertThat(changed(lease(holder), lease(holder))).as(holder).isPresent();
            }
        }

        /** A Lease with the uid of its holder's pod; of a pod that the requests here know. */
        private Map<String, Object> ofPod(String holder, String annotation) {
            return Map.of(
                    "metadata",
                    Map.of(
                            "name", "orders",
                            "namespace", "shop",
                            "annotations", Map.of("coordination.cle.io/holder-pod", annotation)),
                    "spec",
                    Map.of("holderIdentity", holder));
        }

        private Optional<String> changedBy(String pod, Map<String, Object> from, Map<String, Object> to) {
            return policy.refuses(request("UPDATE", APPLICATION, pod), to, from);
        }

        @Test
        void letThePodRenewAndReleaseWhoseUidStandsOnTheLease() {
            Map<String, Object> own = ofPod(OURS, "uid-of-a/" + OURS);

            assertThat(changed(own, own)).isEmpty();
            assertThat(changed(own, lease(""))).isEmpty();
            assertThat(changed(lease(OURS), own)).isEmpty();
            assertThat(changed(lease(""), own)).isEmpty();
        }

        @Test
        void letThePodNameItsContainer() {
            Map<String, Object> own = ofPod(OURS, "uid-of-a/app/" + OURS);

            assertThat(changed(lease(""), own)).isEmpty();
            assertThat(changed(own, own)).isEmpty();
            assertThat(changedBy("orders-a", own, own)).isPresent();
        }

        /** By its name alone the pod orders-a of a direct lock is the pod a of a candidate for the lease orders. */
        @Test
        void refuseAPodWhoseNameIsTakenForTheHolders() {
            Map<String, Object> ofA = ofPod(OURS, "uid-of-a/" + OURS);

            assertThat(changedBy("orders-a", lease(OURS), lease(OURS))).isEmpty();
            assertThat(changedBy("orders-a", ofA, ofA)).isPresent();
            assertThat(changedBy("orders-a", ofA, lease(""))).isPresent();
        }

        @Test
        void refuseAPodThatWasCreatedUnderTheNameOfTheHolders() {
            Map<String, Object> ofFormer = ofPod(OURS, "uid-of-the-former-a/" + OURS);

            assertThat(changed(ofFormer, ofFormer)).isPresent();
            assertThat(changed(ofFormer, lease(""))).isPresent();
        }

        @Test
        void refuseToNameAnotherPodsUid() {
            assertThat(changed(lease(OURS), ofPod(OURS, "uid-of-b/" + OURS))).isPresent();
            assertThat(changed(marked(OURS, OTHERS), ofPod(OTHERS, "uid-of-a/" + OTHERS)))
                    .isPresent();
        }

        @Test
        void passOverAUidThatWasWrittenForAnEarlierHolder() {
            Map<String, Object> granted = ofPod(OURS, "uid-of-b/" + OTHERS);

            assertThat(changed(granted, ofPod(OURS, "uid-of-a/" + OURS))).isEmpty();
        }

        @Test
        void letAPodAcquireAFreeLeaseInItsOwnNameOnly() {
            assertThat(changed(lease(""), lease(OURS))).isEmpty();
            assertThat(changed(lease(""), lease(OTHERS))).isPresent();
            assertThat(policy.refuses(request("CREATE", APPLICATION, "a"), lease(OURS), null))
                    .isEmpty();
            assertThat(policy.refuses(request("CREATE", APPLICATION, "a"), lease(OTHERS), null))
                    .isPresent();
        }

        @Test
        void refuseATokenThatIsBoundToNoPod() {
            assertThat(policy.refuses(request("UPDATE", APPLICATION, ""), lease(OURS), lease(OURS)))
                    .isPresent();
        }

        @Test
        void letTheCoordinatorGrant() {
            assertThat(policy.refuses(request("UPDATE", COORDINATOR, "c"), lease(OURS), lease(OTHERS)))
                    .isEmpty();
        }

        /** What pods and the coordinator do to Leases, from the table in docs/threat-model.md, in both formats. */
        @Nested
        class EveryTransition {

            @TestFactory
            Stream<DynamicTest> ofAPodIsLetBeAndOnlyAsItStands() {
                return transitions()
                        .filter(transition -> transition.by().equals("pod"))
                        .map(transition -> DynamicTest.dynamicTest(transition.toString(), () -> {
                            assertThat(transition.refused(policy, APPLICATION, "a"))
                                    .isEmpty();
                            assertThat(transition.refused(policy, APPLICATION, "b"))
                                    .isPresent();
                            Transition.WRONGS.forEach((what, wrong) -> assertThat(
                                            transition.with(wrong).refused(policy, APPLICATION, "a"))
                                    .as(what)
                                    .isPresent());
                        }));
            }

            @TestFactory
            Stream<DynamicTest> ofTheCoordinatorIsItsOwn() {
                return transitions()
                        .filter(transition -> transition.by().equals("coordinator"))
                        .map(transition -> DynamicTest.dynamicTest(transition.toString(), () -> {
                            assertThat(transition.refused(policy, COORDINATOR, "c"))
                                    .isEmpty();
                            assertThat(transition.refused(policy, APPLICATION, "a"))
                                    .isPresent();
                            assertThat(transition.refused(policy, APPLICATION, "b"))
                                    .isPresent();
                        }));
            }

            @Test
            void isInTheTable() {
                assertThat(transitions()).hasSize(20);
            }

            private Stream<Transition> transitions() {
                return Pages.table("docs/threat-model.md", "transition").stream()
                        .flatMap(row -> Stream.of(new Transition(row, false), new Transition(row, true)));
            }
        }

        @Test
        void letADryRunBe() {
            Map<String, Object> dryRun = new HashMap<>(request("CREATE", APPLICATION, "a"));
            dryRun.put("dryRun", true);

            assertThat(policy.refuses(dryRun, lease(""), null)).isEmpty();
        }
    }
}
