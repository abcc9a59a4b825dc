package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

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
        Lease lease = annotated(TermAnnotation.begun("orders-a", "x7k2", TIME, Duration.ofSeconds(15))).toBuilder()
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
        void isADnsSubdomain(String name) {
            assertThat(Names.problemOfName(name)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "Orders", "-a", "a-", "a_b", "a/b", ".a", "a.", "a..b", "a b", "ä", "a\n"})
        void isNothingElse(String name) {
            assertThat(Names.problemOfName(name)).isPresent();
        }

        @Test
        void mayHave253CharactersAndANamespace63() {
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
        void thatIsNoneIsFoundOutQuicklyHoweverItIsMade() {
            String hostile = "a-".repeat(120) + "!";

            assertThat(Names.problemOfName(hostile)).isPresent();
        }
    }

    @Nested
    class AKey {

        @Test
        void isReadAsItIsWritten() {
            assertThat(ObjectKey.parse("shop/orders"))
                    .isEqualTo(KEY)
                    .hasSameHashCodeAs(KEY)
                    .isNotEqualTo(new ObjectKey("shop", "invoices"))
                    .isNotEqualTo(new ObjectKey("stock", "orders"))
                    .hasToString("shop/orders");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "/", "shop", "shop/", "/orders", "shop/orders/x"})
        void thatIsNotNamespaceSlashNameIsRefused(String text) {
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
        void isOrderedByNamespaceThenByName() {
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
            "7, x, false",
            "x, 7, false",
            ", 7, false",
            "7, , false"
        })
        void isComparedAsANumberIfItIsOne(String left, String right, boolean older) {
            assertThat(ResourceVersions.older(left, right)).isEqualTo(older);
        }

        @Test
        void thatIsMissingIsNoNumber() {
            assertThat(ResourceVersions.isNumber(null)).isFalse();
            assertThat(ResourceVersions.isNumber("7")).isTrue();
        }

        @Test
        void isAFencingTokenOnlyIfItIsANumber() {
            assertThat(ResourceVersions.toNumber("123456789012345678")).isEqualTo(123456789012345678L);
            for (String none : new String[] {null, "", "x", "-1", "1234567890123456789"}) {
                assertThatThrownBy(() -> ResourceVersions.toNumber(none)).hasMessageContaining("'" + none + "'");
            }
        }
    }

    @Nested
    class ATermAnnotation {

        @Test
        void describesTheRecordThatItWasWrittenWith() {
            Lease begun = annotated(TermAnnotation.begun("orders-a", "x7k2", TIME, Duration.ofSeconds(15)));
            Lease granted = annotated(TermAnnotation.granted("orders-a", TIME));

            assertThat(begun.confirmed()).isTrue();
            assertThat(begun.granted()).isFalse();
            assertThat(granted.granted()).isTrue();
            assertThat(granted.confirmed()).isFalse();
        }

        /** Go's zero time. It is further from the epoch than nanoseconds in a long reach, and the lock that read it stood still. */
        @Test
        void repeatsTheAcquireTimeInMicroseconds() {
            TermAnnotation term =
                    TermAnnotation.begun("orders-a", "x7k2", Instant.ofEpochSecond(2, 3_000), Duration.ofSeconds(15));

            assertThat(term.nonce()).isEqualTo("x7k2+15@2000003");
        }

        /** Every process that may write the Lease may write the annotation. */
        @Test
        void ofAnyTextIsReadWithoutAnError() {
            TermAnnotation withoutProcess = new TermAnnotation("orders-a", "+15@0");

            assertThat(new TermAnnotation("orders-a", "x7k2").writtenBy("x7k2")).isFalse();
            assertThat(withoutProcess.writtenBy("x7k2")).isFalse();
            assertThat(withoutProcess.ofWrite("w1").nonce()).isEqualTo(".w1+15@0");
            assertThat(withoutProcess.ofWrite("w1").write()).isEqualTo("w1");
            assertThat(withoutProcess.ofWrite("w1").ofAnyWrite()).isEqualTo(withoutProcess.nonce());
        }

        @ParameterizedTest
        @CsvSource({
            "x7k2+15@0, 15",
            "x7k2.w1+10@0, 10",
            "x7k2~9@0, 9",
            "x7k2+999999999@0, 999999999",
            "x7k2+1000000000@0, 0",
            "x7k2+1:@0, 0",
            "x7k2+1-@0, 0",
            "x7k2+@0, 0",
            "x7k2+15, 0",
            "x7k2, 0",
            "@0, 0"
        })
        void saysForHowLongTheTermMayRun(String nonce, long seconds) {
            assertThat(new TermAnnotation("orders-a", nonce).leaseDuration()).isEqualTo(Duration.ofSeconds(seconds));
        }

        @ParameterizedTest
        @CsvSource({
            "x7k2~9@0, true",
            "x7k2~0@0, true",
            "x7k2~@0, false",
            "x7k2~a@0, false",
            "x7k2+9@0, false",
            "@0, false"
        })
        void isOfAPreemptionIfItSaysForHowLongTheFormerTermMayRun(String nonce, boolean preempting) {
            assertThat(new TermAnnotation("orders-a", nonce).ofPreemption()).isEqualTo(preempting);
        }

        @Test
        void withASlashInItsNonceIsRefused() {
            for (String nonce : new String[] {"/", "/x", "x/", ""}) {
                assertThatThrownBy(() -> new TermAnnotation("orders-a", nonce)).hasMessageContaining("'" + nonce + "'");
            }
        }

        @Test
        void isComparedWithTheYearOneAndTheYear9999() {
            Lease begun = annotated(TermAnnotation.begun("orders-a", "x7k2", TIME, Duration.ofSeconds(15)));

            for (String time :
                    new String[] {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"}) {
                Instant far = Instant.parse(time);
                assertThat(begun.toBuilder().acquireTime(far).build().confirmed())
                        .isFalse();
                TermAnnotation ofThen = TermAnnotation.begun("orders-a", "x7k2", far, Duration.ofSeconds(15));
                assertThat(begun.toBuilder()
                                .acquireTime(far)
                                .term(ofThen)
                                .build()
                                .confirmed())
                        .isTrue();
            }
        }

        @Test
        void isInvalidOnceTheHolderOrTheAcquireTimeIsAnother() {
            Lease begun = annotated(TermAnnotation.begun("orders-a", "x7k2", TIME, Duration.ofSeconds(15)));

            assertThat(begun.toBuilder().holder("plain").build().confirmed()).isFalse();
            assertThat(begun.toBuilder()
                            .acquireTime(TIME.plusSeconds(1))
                            .build()
                            .confirmed())
                    .isFalse();
            assertThat(begun.toBuilder().acquireTime(null).build().confirmed()).isFalse();
            assertThat(begun.toBuilder().renewTime(TIME.plusSeconds(1)).build().confirmed())
                    .isTrue();
        }

        @Test
        void ofAGrantIsInvalidOnceTheLeaseIsRenewed() {
            Lease granted = annotated(TermAnnotation.granted("orders-a", TIME));

            assertThat(granted.toBuilder()
                            .renewTime(TIME.plusSeconds(1))
                            .build()
                            .granted())
                    .isFalse();
        }

        @Test
        void namesTheProcessThatHasPreemptedAndHowLongTheEarlierTermMayRun() {
            TermAnnotation annotation = TermAnnotation.preempting("orders-a", "x7k2", TIME, Duration.ofSeconds(12));

            assertThat(annotated(annotation).preempting()).isTrue();
            assertThat(annotated(annotation).confirmed()).isTrue();
            assertThat(annotated(annotation).granted()).isFalse();
            assertThat(annotation.leaseDuration()).isEqualTo(Duration.ofSeconds(12));
            assertThat(annotated(annotation).toBuilder().holder("plain").build().preempting())
                    .isFalse();
            assertThat(annotated(TermAnnotation.begun("orders-a", "x7k2", TIME, Duration.ofSeconds(12)))
                            .preempting())
                    .isFalse();
        }

        @Test
        void namesTheProcessThatHasWrittenIt() {
            assertThat(TermAnnotation.preempting("orders-a", "x7", TIME, Duration.ofSeconds(1))
                            .writtenBy("x7"))
                    .isTrue();
            assertThat(TermAnnotation.begun("orders-a", "x7", TIME, Duration.ofSeconds(1))
                            .writtenBy("x7"))
                    .isTrue();
            assertThat(TermAnnotation.begun("orders-a", "x77", TIME, Duration.ofSeconds(1))
                            .writtenBy("x7"))
                    .isFalse();
            assertThat(TermAnnotation.granted("orders-a", TIME).writtenBy("")).isFalse();
        }

        @Test
        void ofUnknownFormConfirmsNothing() {
            assertThat(annotated(new TermAnnotation("orders-a", "something")).confirmed())
                    .isFalse();
            assertThat(annotated(new TermAnnotation("orders-a", "@")).granted()).isFalse();
        }

        @ParameterizedTest
        @ValueSource(strings = {"x7k2+15", "x7k2+15@", "x7k2+15@today", "x7k2+15@1 ", "x7k2+15@9223372036854775808"})
        void withoutAReadableAcquireTimeConfirmsNothing(String nonce) {
            Lease lease = annotated(new TermAnnotation("orders-a", nonce));

            assertThat(lease.confirmed()).isFalse();
            assertThat(lease.toBuilder().acquireTime(Instant.EPOCH).build().confirmed())
                    .isFalse();
        }

        @Test
        void equalsOneOfTheSameHolderAndNonceOnly() {
            TermAnnotation annotation = new TermAnnotation("orders-a", "x7k2+15@0");

            assertThat(annotation.holder()).isEqualTo("orders-a");
            assertThat(annotation)
                    .isEqualTo(new TermAnnotation("orders-a", "x7k2+15@0"))
                    .hasSameHashCodeAs(new TermAnnotation("orders-a", "x7k2+15@0"))
                    .doesNotHaveSameHashCodeAs(new TermAnnotation("orders-a", "x7k2+16@0"))
                    .isNotEqualTo(new TermAnnotation("orders-b", "x7k2+15@0"))
                    .isNotEqualTo(new TermAnnotation("orders-a", "x7k2+16@0"))
                    .hasToString("x7k2+15@0/orders-a");
        }

        @Test
        void withANonceThatCouldBeMisreadIsRefused() {
            assertThatThrownBy(() -> new TermAnnotation("orders-a", "")).hasMessageContaining("nonce");
            assertThatThrownBy(() -> new TermAnnotation("orders-a", "a/b")).hasMessageContaining("a/b");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "@", "+", "~", ".", "a@b", "a+b", "a~b", "a.b"})
        void ofAProcessWhoseNonceCouldBeMisreadIsRefused(String process) {
            assertThatThrownBy(() -> TermAnnotation.begun("orders-a", process, TIME, Duration.ofSeconds(15)))
                    .hasMessageContainingAll("a process's nonce", "'" + process + "'");
            assertThatThrownBy(() -> TermAnnotation.preempting("orders-a", process, TIME, Duration.ofSeconds(15)))
                    .hasMessageContainingAll("a process's nonce", "'" + process + "'");
        }

        @Test
        void namesTheWriteThatItIsOn() {
            TermAnnotation begun = TermAnnotation.begun("orders-a", "x7k2", TIME, Duration.ofSeconds(15));
            TermAnnotation written = begun.ofWrite("w1");

            assertThat(begun.write()).isNull();
            assertThat(written.write()).isEqualTo("w1");
            assertThat(written.writtenBy("x7k2")).isTrue();
            assertThat(written.writtenBy("x7k")).isFalse();
            assertThat(written.leaseDuration()).isEqualTo(Duration.ofSeconds(15));
            assertThat(annotated(written).confirmed()).isTrue();
            assertThat(annotated(written).termIdentity())
                    .isEqualTo(annotated(begun.ofWrite("w2")).termIdentity());
            assertThat(annotated(written).termIdentity())
                    .isNotEqualTo(
                            annotated(TermAnnotation.granted("orders-a", TIME)).termIdentity());
            assertThat(TermAnnotation.preempting("orders-a", "x7k2", TIME, Duration.ofSeconds(12))
                            .ofWrite("w2")
                            .write())
                    .isEqualTo("w2");
        }
    }

    @Nested
    class APing {

        @Test
        void isPendingUntilARenewalThatIsNotBeforeIt() {
            Candidate.Builder candidate = Candidate.builder(KEY, KEY).pingTime(TIME);

            assertThat(candidate.build().ackPending()).isTrue();
            assertThat(candidate.renewTime(TIME.minusNanos(1000)).build().ackPending())
                    .isTrue();
            assertThat(candidate.renewTime(TIME).build().ackPending()).isFalse();
            assertThat(candidate.pingTime(null).build().ackPending()).isFalse();
        }

        @Test
        void canOnlyBeAnsweredByAnotherRenewalWhateverTheClocksSay() {
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
