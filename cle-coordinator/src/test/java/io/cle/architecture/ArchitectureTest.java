package io.cle.architecture;

import java.util.Set;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.cle.ApiFormat;
import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.ResourceLock;
import io.cle.RevokeReason;
import io.cle.Role;
import io.cle.Timings;
import io.cle.kubernetes.internal.discovery.FormatChoice;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Allowed dependencies within cle-core and cle-coordinator: pure types, the types that run them, and the clients of the API server. */
@AnalyzeClasses(
        packages = "io.cle",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.DoNotIncludeTestJars.class})
class ArchitectureTest {

    /** The types of io.cle.lock and io.cle.election that run the pure ones; all others there are pure. */
    private static final Set<String> RUN = Set.of(
            "LeaseLock",
            "Candidacy",
            "LockCandidacy",
            "GroupCandidacy",
            "LockListeners",
            "LockJournal",
            "LockStores",
            "LockTerm",
            "LockThreads",
            "ProcessIdentity",
            "ProcessLeases",
            "Entropy",
            "WorkInterrupter",
            "Snapshot",
            "Coordinator",
            "LeaseReconciler",
            "LeaseQueue",
            "CoordinatorJournal",
            "CoordinatorReplica",
            "Workers",
            "LeaseTable",
            "ConfigurationTable",
            "GroupEntry",
            "KeyCheck",
            "KeyEntry",
            "CandidateTable",
            "LeaseRecord",
            "WatchStatus",
            "CoordinatorClient",
            "LeaseConfigurationCodec",
            "PodStates");

    private static final DescribedPredicate<JavaClass> PURE = resideInAnyPackage(
                    "io.cle.model..", "io.cle.strategy..", "io.cle.migration")
            .or(resideInAnyPackage("io.cle.lock..", "io.cle.election..")
                    .and(new DescribedPredicate<JavaClass>("don't run anything") {
                        @Override
                        public boolean test(JavaClass type) {
                            String name = type.getName()
                                    .substring(type.getPackageName().length() + 1);
                            return !RUN.contains(name.split("\\$")[0]);
                        }
                    }))
            .as("pure types");

    /** The types of {@code io.cle} by which the pure half is configured, and reports. */
    private static final DescribedPredicate<JavaClass> WORDS = belongToAnyOf(
                    ApiFormat.class, Role.class, RevokeReason.class, Timings.class, ResourceLock.class)
            .or(belongToAnyOf(KeyComparison.class))
            .or(belongToAnyOf(InvalidConfigurationException.class))
            .as("configuration and report types of io.cle");

    /** Types of java.lang and java.util that observe or change the world outside. */
    private static final DescribedPredicate<JavaClass> WORLD = belongToAnyOf(
                    System.class, Thread.class, ThreadLocal.class, Runtime.class, Process.class, ProcessBuilder.class)
            .or(belongToAnyOf(java.util.Random.class, java.util.UUID.class, java.util.Timer.class))
            .as("the world outside");

    private static final DescribedPredicate<JavaClass> ALLOWED_IN_PURE_CODE = PURE.or(WORDS)
            .or(resideInAnyPackage(
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.runtime",
                    "java.util",
                    "java.util.function",
                    "java.util.regex",
                    "java.util.stream",
                    "java.math",
                    "java.time",
                    "java.time.temporal",
                    "org.jspecify.annotations"))
            .and(DescribedPredicate.not(WORLD))
            .and(DescribedPredicate.not(belongToAnyOf(java.time.Clock.class)))
            .or(new DescribedPredicate<JavaClass>("primitives and arrays") {
                @Override
                public boolean test(JavaClass type) {
                    return type.isPrimitive() || type.isArray();
                }
            })
            .as("what is pure");

    @ArchTest
    static final ArchRule pureCodeHasNoThreadsNoInputNoOutputNoLogAndNoClient =
            classes().that(PURE.or(WORDS)).should().onlyDependOnClassesThat(ALLOWED_IN_PURE_CODE);

    @ArchTest
    static final ArchRule pureCodeReadsNoClock = noClasses()
            .that(PURE.or(WORDS))
            .should()
            .callMethodWhere(new DescribedPredicate<JavaMethodCall>("the machine's clock is read") {
                @Override
                public boolean test(JavaMethodCall call) {
                    return call.getTargetOwner().getPackageName().startsWith("java.time")
                            && call.getName().equals("now");
                }
            });

    /** {@code io.cle.plain} takes an application's client and passes it on. */
    @ArchTest
    static final ArchRule onlyTheAdaptersKnowTheClient = noClasses()
            .that()
            .resideOutsideOfPackages("io.cle.kubernetes..", "io.cle.election.internal.api", "io.cle.plain")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.kubernetes..", "okhttp3..", "okio..", "com.google.gson..");

    @ArchTest
    static final ArchRule locksAndElectionsKnowTheClientsAndNothingBelowThem = noClasses()
            .that()
            .resideInAnyPackage("io.cle.lock..", "io.cle.election.internal", "io.cle.loop..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.cle.kubernetes..")
                    .and(DescribedPredicate.not(resideInAnyPackage("io.cle.kubernetes.internal.client"))
                            .and(DescribedPredicate.not(belongToAnyOf(FormatChoice.class, ResourceType.class)))));

    @ArchTest
    static final ArchRule theCoordinatorsClientKnowsNoDecision = noClasses()
            .that()
            .resideInAPackage("io.cle.election.internal.api")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.cle.election.internal", "io.cle.lock.."));

    @ArchTest
    static final ArchRule theClientsNeitherDecideNorRunAnything = noClasses()
            .that()
            .resideInAPackage("io.cle.kubernetes..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.cle.election..", "io.cle.lock..", "io.cle.migration.."));

    @ArchTest
    static final ArchRule theLoopIsBelowAll = noClasses()
            .that()
            .resideInAPackage("io.cle.loop..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.cle..")
                    .and(DescribedPredicate.not(resideInAnyPackage("io.cle.loop..", "io.cle.model.."))));

    @ArchTest
    static final ArchRule thePortSpeaksOfTheModelOnly = noClasses()
            .that()
            .resideInAPackage("io.cle.store..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.cle..")
                    .and(DescribedPredicate.not(resideInAnyPackage("io.cle.store..", "io.cle.model..")
                            .or(belongToAnyOf(ApiFormat.class)))));

    @ArchTest
    static final ArchRule roomsOfTheAdaptersKnowOnlyThoseBelow = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("json")
            .definedBy("io.cle.kubernetes.internal.json")
            .layer("transport")
            .definedBy("io.cle.kubernetes.internal.transport")
            .layer("login")
            .definedBy("io.cle.kubernetes.internal.login")
            .layer("codec")
            .definedBy("io.cle.kubernetes.internal.codec")
            .layer("watch")
            .definedBy("io.cle.kubernetes.internal.watch")
            .layer("client")
            .definedBy("io.cle.kubernetes.internal.client")
            .layer("discovery")
            .definedBy("io.cle.kubernetes.internal.discovery")
            .layer("cluster")
            .definedBy("io.cle.kubernetes")
            .whereLayer("json")
            .mayNotAccessAnyLayer()
            .whereLayer("login")
            .mayOnlyAccessLayers("json")
            .whereLayer("cluster")
            .mayOnlyAccessLayers("login")
            .whereLayer("transport")
            .mayOnlyAccessLayers("json", "login", "cluster")
            .whereLayer("codec")
            .mayOnlyAccessLayers("json", "transport")
            .whereLayer("watch")
            .mayOnlyAccessLayers("json", "transport", "codec")
            .whereLayer("client")
            .mayOnlyAccessLayers("json", "transport", "codec", "watch")
            .whereLayer("discovery")
            .mayOnlyAccessLayers("json", "transport");

    /** Each registers all of Kubernetes' types, which costs an application some tenths of a second and 30 MB. */
    @ArchTest
    static final ArchRule onlyTheAccessToTheClusterCreatesAnApiClient = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.cle.kubernetes.KubernetesAccess")
            .should()
            .callConstructor(ApiClient.class)
            .orShould()
            .callConstructor(ApiClient.class, OkHttpClient.class)
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("io\\.kubernetes\\.client\\.(util\\.ClientBuilder|openapi\\.JSON)");

    @ArchTest
    static final ArchRule onlyTransportLoginAndAccessToTheClusterKnowTheOfficialClient = noClasses()
            .that()
            .resideInAnyPackage("io.cle.kubernetes..", "io.cle.election..")
            .and()
            .resideOutsideOfPackages(
                    "io.cle.kubernetes", "io.cle.kubernetes.internal.login", "io.cle.kubernetes.internal.transport")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.kubernetes..", "okhttp3..", "okio..");

    @ArchTest
    static final ArchRule packagesDoNotDependOnEachOtherInCircles =
            slices().matching("io.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule whatEverybodyUsesKnowsNothingInternal = noClasses()
            .that()
            .resideInAPackage("io.cle")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.cle..internal..");

    /** Excludes the fixtures of cle-core's tests. */
    static final class DoNotIncludeTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }
}
