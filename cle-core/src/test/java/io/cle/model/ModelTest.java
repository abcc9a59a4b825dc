package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import io.cle.model.internal.Names;
import io.cle.model.internal.ResourceVersions;
import io.cle.model.internal.TermAnnotation;
import io.cle.model.internal.TermAnnotation.Ended;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The smaller parts of the model: names, keys, versions of resources, moments, term annotations, builders. */
class ModelTest {

    private static final ObjectKey KEY = new ObjectKey("shop", "orders");
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    // ---- moments

    @Test
    void monotonicInstantsCompareAlsoWhereTheClockRunsOver() {
        Moment before = new Moment(Long.MAX_VALUE - 5, TIME);
        long deadline = before.plus(Duration.ofNanos(10));

        assertThat(before.reached(deadline)).isFalse();
        assertThat(new Moment(deadline, TIME).reached(deadline)).isTrue();
        assertThat(new Moment(deadline, TIME).since(before.nanos())).isEqualTo(Duration.ofNanos(10));
    }

    // ---- term annotations

    private static Lease annotated(TermAnnotation annotation) {
        return Lease.builder(KEY)
                .holder("orders-a")
                .acquireTime(TIME)
                .renewTime(TIME)
                .term(annotation)
                .build();
    }

    // ---- leases and candidates

    @Test
    void anEmptyHolderIsNoHolder() {
        assertThat(Lease.builder(KEY).holder("").build().held()).isFalse();
        assertThat(Lease.builder(KEY).holder("").build().holder()).isNull();
    }

    @Test
    void aBuilderStartsFromAllThatIsThere() {
        Lease lease =
                annotated(TermAnnotation.begun("x7k2", "w1", Duration.ofSeconds(15), "orders-a", TIME, Ended.NOTHING))
                        .toBuilder()
                        .resourceVersion("7")
                        .leaseDuration(Duration.ofSeconds(9))
                        .transitions(3)
                        .strategy("A")
                        .recordedStrategy("B")
                        .electedBy("C")
                        .endOfTerm("orders-b", "5")
                        .holderKey("4")
                        .managed(true)
                        .build();
        Candidate candidate = Candidate.builder(new ObjectKey("shop", "orders-a"), KEY)
                .resourceVersion("7")
                .binaryVersion(Version.parse("1.1.0"))
                .compatibilityVersion(Version.parse("1.0.0"))
                .priority(5)
                .strategy("A")
                .validity(Duration.ofMinutes(3))
                .renewTime(TIME)
                .pingTime(TIME)
                .creationTime(TIME)
                .pod(new PodRef(KEY, "uid"))
                .build();

        assertThat(lease.toBuilder().build()).isEqualTo(lease);
        assertThat(candidate.toBuilder().build()).isEqualTo(candidate);
        assertThat(lease.toBuilder().noEndOfTerm().build().preferredHolder()).isNull();
    }

    @Nested
    class AName {

        @ParameterizedTest
        @ValueSource(strings = {"a", "0", "orders", "orders-7f9c-x2k", "orders.v1", "a.b-c.d"})
        void aNameIsADnsSubdomain(String name) {
            assertThat(Names.problemOfName(name)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "Orders", "-a", "a-", "a_b", "a/b", ".a", "a.", "a..b", "a b", "ä", "a\n"})
        void aNameIsNothingElse(String name) {
            assertThat(Names.problemOfName(name)).isPresent();
        }

        @Test
        void aNameMayHave253CharactersAndANamespace63() {
            assertThat(Names.problemOfName("a".repeat(253))).isEmpty();
            assertThat(Names.problemOfName("a".repeat(254)))
                    .hasValueSatisfying(text -> assertThat(text).contains("253", "254"));
            assertThat(Names.problemOfNamespace("a".repeat(63))).isEmpty();
            assertThat(Names.problemOfNamespace("a".repeat(64)))
                    .hasValueSatisfying(text -> assertThat(text).contains("63", "64"));
        }

        @Test
        void ofANamespaceHasNoDots() {
            assertThat(Names.problemOfNamespace("a.b")).isPresent();
            assertThat(Names.problemOfNamespace("")).contains("must not be empty");
        }

        @Test
        void aNameThatIsNoneIsFoundOutQuicklyHoweverItIsMade() {
            String hostile = "a-".repeat(120) + "!";

            assertThat(Names.problemOfName(hostile)).isPresent();
        }
    }

    @Nested
    class AKey {

        @Test
        void aKeyIsReadAsItIsWritten() {
            assertThat(ObjectKey.parse("shop/orders"))
                    .isEqualTo(KEY)
                    .hasSameHashCodeAs(KEY)
                    .isNotEqualTo(new ObjectKey("shop", "invoices"))
                    .isNotEqualTo(new ObjectKey("stock", "orders"))
                    .hasToString("shop/orders");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "/", "shop", "shop/", "/orders", "shop/orders/x"})
        void aKeyThatIsNotNamespaceSlashNameIsRefused(String text) {
            assertThatThrownBy(() -> ObjectKey.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + text + "'")
                    .hasMessageContaining("<namespace>/<name>");
        }

        @Test
        void withAnEmptyPartIsRefused() {
            assertThatThrownBy(() -> new ObjectKey("", "orders")).hasMessageContaining("namespace must not be empty");
            assertThatThrownBy(() -> new ObjectKey("shop", "")).hasMessageContaining("name must not be empty");
        }

        @Test
        void aKeyIsOrderedByNamespaceThenByName() {
            List<ObjectKey> ordered = List.of(
                    new ObjectKey("a", "z"),
                    new ObjectKey("b", "a"),
                    new ObjectKey("b", "b"),
                    new ObjectKey("ba", "a"));

            assertThat(ordered.stream().sorted()).containsExactlyElementsOf(ordered);
        }
    }

    @Nested
    class AResourceVersion {

        @ParameterizedTest
        @CsvSource({
            "9, 10, true",
            "10, 9, false",
            "10, 10, false",
            "99, 100, true",
            "1763596440927791001, 1763596440927791002, true",
            "999999999999999999, 1000000000000000000, true",
            "9223372036854775808, 9223372036854775807, false",
            "9999999999999999999999999, 10000000000000000000000000, true",
            "1, 02, false",
            "7, x, false",
            "x, 7, false",
            ", 7, false",
            "7, , false"
        })
        void aResourceVersionIsComparedAsANumberIfItIsOne(String left, String right, boolean older) {
            assertThat(ResourceVersions.older(left, right)).isEqualTo(older);
        }

        @Test
        void aResourceVersionThatIsMissingIsNoNumber() {
            assertThat(ResourceVersions.isNumber(null)).isFalse();
            assertThat(ResourceVersions.isNumber("7")).isTrue();
        }

        @Test
        void withLeadingZerosIsNoNumber() {
            assertThat(ResourceVersions.isNumber("0")).isFalse();
            assertThat(ResourceVersions.isNumber("007")).isFalse();
        }

        @Test
        void aResourceVersionIsAFencingTokenIfItIsANumberThatFitsIntoALong() {
            assertThat(ResourceVersions.toNumber("1763596440927791001")).isEqualTo(1763596440927791001L);
            assertThat(ResourceVersions.toNumber("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
            for (String none : new String[] {null, "", "x", "-1", "9223372036854775808", "1763596440927791001000000"}) {
                assertThat(ResourceVersions.isToken(none)).isFalse();
                assertThatThrownBy(() -> ResourceVersions.toNumber(none)).hasMessageContaining("'" + none + "'");
            }
        }
    }

    @Nested
    class ATermAnnotation {

        private static TermAnnotation begun(String process, Instant acquireTime) {
            return TermAnnotation.begun(process, "w1", Duration.ofSeconds(15), "orders-a", acquireTime, Ended.NOTHING);
        }

        private static TermAnnotation preempting(String process) {
            return TermAnnotation.preempting(process, "w1", Duration.ofSeconds(12), "orders-a", TIME);
        }

        private static TermAnnotation granted() {
            return TermAnnotation.granted("orders-a", TIME, Ended.NOTHING);
        }

        @Test
        void aTermAnnotationDescribesTheRecordThatItWasWrittenWith() {
            assertThat(annotated(begun("x7k2", TIME)).confirmed()).isTrue();
            assertThat(annotated(begun("x7k2", TIME)).granted()).isFalse();
            assertThat(annotated(granted()).granted()).isTrue();
            assertThat(annotated(granted()).confirmed()).isFalse();
        }

        @Test
        void aTermAnnotationDescribesARecordToTheMicrosecond() {
            Lease lease = annotated(begun("x7k2", TIME.plusNanos(3_000)));

            assertThat(lease.toBuilder()
                            .acquireTime(TIME.plusNanos(3_999))
                            .build()
                            .confirmed())
                    .isTrue();
            assertThat(lease.toBuilder()
                            .acquireTime(TIME.plusNanos(4_000))
                            .build()
                            .confirmed())
                    .isFalse();
        }

        /** Go's zero time is too far from the epoch for nanoseconds in a long, which stopped the lock that read it. */
        @Test
        void aTermAnnotationIsComparedWithTheYearOneAndTheYear9999() {
            Lease lease = annotated(begun("x7k2", TIME));

            for (String time :
                    new String[] {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"}) {
                Lease.Builder far = lease.toBuilder().acquireTime(Instant.parse(time));
                assertThat(far.build().confirmed()).isFalse();
                assertThat(far.term(begun("x7k2", Instant.parse(time))).build().confirmed())
                        .isTrue();
            }
        }

        @Test
        void aTermAnnotationIsInvalidOnceTheHolderOrTheAcquireTimeIsAnother() {
            Lease lease = annotated(begun("x7k2", TIME));

            assertThat(lease.toBuilder().holder("plain").build().confirmed()).isFalse();
            assertThat(lease.toBuilder()
                            .acquireTime(TIME.plusSeconds(1))
                            .build()
                            .confirmed())
                    .isFalse();
            assertThat(lease.toBuilder().acquireTime(null).build().confirmed()).isFalse();
            assertThat(lease.toBuilder().renewTime(TIME.plusSeconds(1)).build().confirmed())
                    .isTrue();
        }

        @Test
        void ofAGrantIsInvalidOnceTheLeaseIsRenewed() {
            assertThat(annotated(granted()).toBuilder()
                            .renewTime(TIME.plusSeconds(1))
                            .build()
                            .granted())
                    .isFalse();
        }

        @Test
        void aTermAnnotationNamesTheProcessThatHasPreemptedAndHowLongTheEarlierTermMayRun() {
            Lease lease = annotated(preempting("x7k2"));

            assertThat(lease.preempting()).isTrue();
            assertThat(lease.confirmed()).isTrue();
            assertThat(lease.granted()).isFalse();
            assertThat(preempting("x7k2").duration()).isEqualTo(Duration.ofSeconds(12));
            assertThat(lease.toBuilder().holder("plain").build().preempting()).isFalse();
            assertThat(annotated(begun("x7k2", TIME)).preempting()).isFalse();
        }

        @Test
        void aTermAnnotationNamesTheProcessThatHasWrittenIt() {
            assertThat(preempting("x7").writtenBy("x7")).isTrue();
            assertThat(begun("x7", TIME).writtenBy("x7")).isTrue();
            assertThat(begun("x77", TIME).writtenBy("x7")).isFalse();
            assertThat(begun("x7", TIME).writtenBy("x77")).isFalse();
            assertThat(granted().writtenBy("")).isFalse();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ".", "a.b"})
        void ofAProcessWhoseNonceCouldBeMisreadIsRefused(String process) {
            assertThatThrownBy(() -> begun(process, TIME))
                    .hasMessageContainingAll("a process's nonce", "'" + process + "'");
            assertThatThrownBy(() -> preempting(process))
                    .hasMessageContainingAll("a process's nonce", "'" + process + "'");
        }

        @Test
        void ofNoKindIsRefused() {
            assertThatThrownBy(
                            () -> new TermAnnotation(null, true, "w1", Duration.ZERO, "orders-a", TIME, Ended.NOTHING))
                    .hasMessageContaining("write=w1");
            assertThatThrownBy(() ->
                            new TermAnnotation("x7.w1", false, "w1", Duration.ofSeconds(15), null, null, Ended.NOTHING))
                    .hasMessageContaining("holder=null");
            assertThatThrownBy(
                            () -> new TermAnnotation(null, false, null, Duration.ZERO, "orders-a", null, Ended.NOTHING))
                    .hasMessageContaining("acquireTime=null");
        }

        @Test
        void aTermAnnotationIsOfTheSameTermWithEveryWrite() {
            TermAnnotation first = begun("x7k2", TIME);
            TermAnnotation later = first.withWrite("w2");

            assertThat(later.write()).isEqualTo("w2");
            assertThat(later).isNotEqualTo(first);
            assertThat(later.writtenBy("x7k2")).isTrue();
            assertThat(annotated(later).termIdentity())
                    .isEqualTo(annotated(first).termIdentity())
                    .isNotEqualTo(annotated(granted()).termIdentity());
        }
    }

    @Nested
    class APing {

        @Test
        void aPingIsPendingUntilARenewalThatIsNotBeforeIt() {
            Candidate.Builder candidate = Candidate.builder(KEY, KEY).pingTime(TIME);

            assertThat(candidate.build().ackPending()).isTrue();
            assertThat(candidate.renewTime(TIME.minusNanos(1000)).build().ackPending())
                    .isTrue();
            assertThat(candidate.renewTime(TIME).build().ackPending()).isFalse();
            assertThat(candidate.pingTime(null).build().ackPending()).isFalse();
        }

        @Test
        void aPingCanOnlyBeAnsweredByAnotherRenewalWhateverTheClocksSay() {
            for (Instant renewed : new Instant[] {null, TIME.minusSeconds(9), TIME, TIME.plusSeconds(3600)}) {
                Candidate candidate =
                        Candidate.builder(KEY, KEY).renewTime(renewed).build();

                Candidate asked =
                        candidate.toBuilder().pingTime(candidate.nextPing(TIME)).build();

                assertThat(asked.ackPending()).as("renewed at %s", renewed).isTrue();
                assertThat(asked.pingTime()).isAfterOrEqualTo(TIME);
            }
        }
    }
}
