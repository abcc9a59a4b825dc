package io.cle.web.view;

import java.time.Duration;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.Version;
import io.cle.web.view.LeasePage.Command;
import io.cle.web.view.TimeLine.Span;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.cle.web.view.Snapshots.NOW;
import static io.cle.web.view.Snapshots.candidate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

class LeasePageTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private static LeasePage page(Snapshots.Builder lease) {
        return page(lease, "");
    }

    private static LeasePage page(Snapshots.Builder lease, String span) {
        return LeasePage.of(Snapshots.of(lease.build()), lease.build(), Span.of(span));
    }

    private static Snapshots.Builder orders() {
        return Snapshots.lease("shop", "orders");
    }

    private static Snapshots.Builder led() {
        return orders().candidate("a", "1.0.0").candidate("b", "1.1.0").ledBy("a", Duration.ofMinutes(3));
    }

    @Nested
    class Ranking {

        private static String behind(Snapshots.Builder lease) {
            return String.valueOf(page(lease).ranking().get(1).behind());
        }

        private static Candidate prioritized(String name, int priority) {
            return candidate(ORDERS, name, "1.0.0").toBuilder()
                    .priority(priority)
                    .build();
        }

        @Test
        void rankingSaysNothingOfTheFirst() {
            assertThat(page(led()).ranking().get(0).behind()).isNull();
        }

        @ParameterizedTest
        @ValueSource(strings = {"Astrology", "NoCoordination"})
        void rankingSaysThatNobodyIsRankedAndNobodyIsNextIfNoneIsElected(String strategy) {
            LeasePage page = page(led().strategy(strategy));

            assertThat(page.ranking())
                    .isNotEmpty()
                    .allSatisfy(candidate -> assertThat(candidate.behind()).startsWith("not ranked"));
            assertThat(page.row().next()).isNull();
        }

        @Test
        void rankingNamesTheNewerCompatibilityVersion() {
            assertThat(behind(led())).isEqualTo("compatibility version 1.1.0 is newer than 1.0.0");
        }

        @Test
        void rankingNamesTheBinaryVersionWhenCompatibilityIsTheSame() {
            Candidate newer = candidate(ORDERS, "b", "1.0.0").toBuilder()
                    .binaryVersion(Version.parse("1.2.0"))
                    .build();

            assertThat(behind(orders().candidate("a", "1.0.0").candidate(newer, Answer.ACKNOWLEDGED)))
                    .isEqualTo("binary version 1.2.0 is newer than 1.0.0");
        }

        @Test
        void rankingNamesTheOlderVersionWhenTheNewestIsToLead() {
            assertThat(behind(orders().strategy("NewestCompatibilityVersion")
                            .candidate("b", "1.1.0")
                            .candidate("a", "1.0.0")))
                    .isEqualTo("compatibility version 1.0.0 is older than 1.1.0");
        }

        @Test
        void rankingNamesTheLowerPriority() {
            assertThat(behind(orders().strategy("HighestPriority")
                            .candidate(prioritized("a", 10), Answer.ACKNOWLEDGED)
                            .candidate(prioritized("b", 5), Answer.ACKNOWLEDGED)))
                    .isEqualTo("priority 5 is lower than 10");
        }

        @Test
        void rankingNamesTheAgeOfEquallyGoodCandidates() {
            Candidate younger = candidate(ORDERS, "b", "1.0.0").toBuilder()
                    .creationTime(NOW.minus(Duration.ofMinutes(3)))
                    .build();

            assertThat(behind(orders().candidate("a", "1.0.0").candidate(younger, Answer.ACKNOWLEDGED)))
                    .isEqualTo("as good; joined 2 m later");
        }

        @Test
        void rankingNamesTheNameAtLast() {
            assertThat(behind(orders().candidate("a", "1.0.0").candidate("b", "1.0.0")))
                    .isEqualTo("as good and as old; its name comes later");
        }

        @ParameterizedTest
        @ValueSource(longs = {2, 11})
        void rankingSaysWhoWasElectedAndHasNotBegun(long secondsAgo) {
            LeasePage page = page(orders().candidate("a", "1.0.0").elected("a", Duration.ofSeconds(secondsAgo)));

            assertThat(page.ranking().get(0).holding()).isEqualTo("elected");
        }

        @Test
        void rankingSaysWhoseLeaseHasExpired() {
            assertThat(page(led().renewedBefore(Duration.ofSeconds(16)))
                            .ranking()
                            .get(0)
                            .holding())
                    .isEqualTo("expired");
        }

        @Test
        void rankingSaysWhoLeadsAndWhetherItHasAcknowledged() {
            LeasePage.Ranked leader = page(led()).ranking().get(0);

            assertThat(leader.holding()).isEqualTo("leads");
            assertThat(leader.answerText()).isEqualTo("acknowledged");
            assertThat(leader.acknowledgedAt()).isEqualTo(NOW.minusSeconds(2));
        }
    }

    @Nested
    class Term {

        @Test
        void theTermSaysOfOneThatWasOnlyElectedNotThatItHoldsTheLease() {
            LeasePage.TermView term = page(orders().candidate("a", "1.0.0").elected("a", Duration.ofSeconds(2)))
                    .term();

            assertThat(term).isNotNull();
            assertThat(term.holder()).isEqualTo("a");
            assertThat(term.heldUntil()).isNull();
        }

        @Test
        void theTermSaysForHowLongTheLeaseIsStillHeld() {
            LeasePage.TermView term = page(led()).term();

            assertThat(term).isNotNull();
            assertThat(term.duration()).isEqualTo(15_000);
            assertThat(term.remaining()).isEqualTo(14_000);
        }

        @Test
        void theTermIsNoneOnceTheLeaseHasExpired() {
            assertThat(page(led().renewedBefore(Duration.ofSeconds(15))).term()).isNull();
        }
    }

    @Nested
    class TermsAndGaps {

        @Test
        void termsAndGapsAreInOrderAndCoverTheLine() {
            TimeLine line = page(orders().term(new PastTerm("a", NOW.minusSeconds(100), NOW.minusSeconds(60), false))
                            .term(new PastTerm("b", NOW.minusSeconds(40), null, false)))
                    .timeLine();

            assertThat(line.bars())
                    .extracting(TimeLine.Bar::title, TimeLine.Bar::x, TimeLine.Bar::width)
                    .containsExactly(
                            tuple("a for 40 s", 0, 400),
                            tuple("no leader for 20 s", 400, 200),
                            tuple("b for 40 s", 600, 400));
        }

        @Test
        void termsAndGapsShowEvenTheShortestGap() {
            TimeLine line = page(orders().term(
                                    new PastTerm("a", NOW.minusSeconds(4000), NOW.minusMillis(2_000_021), false))
                            .term(new PastTerm("b", NOW.minusMillis(2_000_000), null, false)))
                    .timeLine();

            assertThat(line.bars().get(1).title()).isEqualTo("no leader for 21 ms");
            assertThat(line.bars().get(1).width()).isPositive();
        }

        @Test
        void termsAndGapsCountNeitherAsLedNorAsAGapWhatWasNotObserved() {
            TimeLine line = page(orders().term(new PastTerm("a", NOW.minusSeconds(100), NOW.minusSeconds(80), false))
                            .term(new PastTerm(null, NOW.minusSeconds(80), NOW.minusSeconds(20), false))
                            .term(new PastTerm("b", NOW.minusSeconds(20), null, false)))
                    .timeLine();

            assertThat(line.bars()).extracting(TimeLine.Bar::title).containsExactly("a for 20 s", "b for 20 s");
            assertThat(line.availability()).isEqualTo("100 %");
            assertThat(line.incomplete()).isTrue();
            assertThat(line.known()).isEqualTo("40 s");
        }

        /** As after a SIGKILL, before another one is elected. */
        @Test
        void termsAndGapsEndATermWhoseLeaseHasExpiredWithItsLastRenewal() {
            TimeLine line = page(orders().ledBy("a", Duration.ofSeconds(100)).renewedBefore(Duration.ofSeconds(20)))
                    .timeLine();

            assertThat(line.bars())
                    .extracting(TimeLine.Bar::title)
                    .containsExactly("a for 1 m 20 s", "no leader for 20 s");
            assertThat(line.availability()).isEqualTo("80.000 %");
        }

        @Test
        void termsAndGapsDrawGapsOverTerms() {
            TimeLine line = page(orders().term(new PastTerm("a", NOW.minusSeconds(30), NOW.minusSeconds(20), false))
                            .term(new PastTerm("b", NOW.minusSeconds(19), null, false)))
                    .timeLine();

            assertThat(line.gapsOnTop()).extracting(TimeLine.Bar::holder).containsExactly("a", "b", null);
        }

        @Test
        void termsAndGapsEndWithTheGapThatLasts() {
            TimeLine line = page(orders().term(new PastTerm("a", NOW.minusSeconds(50), NOW.minusSeconds(10), false)))
                    .timeLine();

            assertThat(line.bars().get(1).holder()).isNull();
            assertThat(line.bars().get(1).until()).isNull();
        }

        @Test
        void termsAndGapsGiveOneLeaderOneColor() {
            TimeLine line = page(orders().term(new PastTerm("a", NOW.minusSeconds(30), NOW.minusSeconds(20), false))
                            .term(new PastTerm("b", NOW.minusSeconds(20), NOW.minusSeconds(10), false))
                            .term(new PastTerm("a", NOW.minusSeconds(10), null, false)))
                    .timeLine();

            assertThat(line.bars()).extracting(TimeLine.Bar::color).containsExactly(0, 1, 0);
        }
    }

    @Nested
    class Zoom {

        private final Snapshots.Builder lease = orders().knownFor(Duration.ofHours(3))
                .term(new PastTerm("a", NOW.minusSeconds(7200), NOW.minusSeconds(1860), false))
                .term(new PastTerm("b", NOW.minusSeconds(1800), null, false));

        private TimeLine line(String span) {
            return page(lease, span).timeLine();
        }

        @Test
        void theZoomShowsAllThatIsKnownUnlessASpanIsAskedFor() {
            assertThat(line("").from()).isEqualTo(NOW.minus(Duration.ofHours(3)));
            assertThat(line("").incomplete()).isFalse();
            assertThat(line("nonsense")).isEqualTo(line(""));
            assertThat(line("0m")).isEqualTo(line(""));
        }

        @Test
        void theZoomShowsOnlyWhatReachesIntoTheSpanAndSaysSinceWhenItReallyWas() {
            assertThat(line("1h").bars())
                    .extracting(TimeLine.Bar::title, TimeLine.Bar::x, TimeLine.Bar::width, TimeLine.Bar::from)
                    .containsExactly(
                            tuple("a for 1 h 29 m", 0, 483, NOW.minusSeconds(7200)),
                            tuple("no leader for 1 m", 483, 17, NOW.minusSeconds(1860)),
                            tuple("b for 30 m", 500, 500, NOW.minusSeconds(1800)));
            assertThat(line("15m").bars()).extracting(TimeLine.Bar::title).containsExactly("b for 30 m");
        }

        @Test
        void theZoomLeavesEmptyWhatIsNotKnown() {
            TimeLine line = line("1d");

            assertThat(line.incomplete()).isTrue();
            assertThat(line.knownSince()).isEqualTo(NOW.minus(Duration.ofHours(3)));
            assertThat(line.bars().get(0).x()).isEqualTo(875);
            assertThat(line.known()).isEqualTo("3 h");
        }

        @Test
        void theZoomReachesOverWeeks() {
            Snapshots.Builder old = orders().knownFor(Duration.ofDays(40))
                    .term(new PastTerm("a", NOW.minus(Duration.ofDays(40)), NOW.minus(Duration.ofDays(14)), true))
                    .term(new PastTerm("b", NOW.minus(Duration.ofDays(14)).plusMillis(21), null, false));
            TimeLine line = page(old, "4w").timeLine();

            assertThat(line.from()).isEqualTo(NOW.minus(Duration.ofDays(28)));
            assertThat(line.scale()).containsExactly("12-04 12:00", "12-18 12:00");
            assertThat(line.bars().get(1).title()).isEqualTo("no leader for 21 ms");
            assertThat(line.bars().get(1).width()).isPositive();
            assertThat(line.availability()).isEqualTo("99.999 %");
        }

        @Test
        void theZoomSumsUpTheGapsOfTheSpanAndNoMore() {
            assertThat(line("15m").availability()).isEqualTo("100 %");
            assertThat(line("15m").gaps()).isZero();
            assertThat(line("1h").availability()).isEqualTo("98.333 %");
            assertThat(line("1h").vacancy()).isEqualTo("1 m");
            // An hour before the first term, and a minute after it.
            assertThat(line("").availability()).isEqualTo("66.111 %");
            assertThat(line("").gaps()).isEqualTo(2);
            assertThat(line("1d").availability()).isEqualTo("66.111 %");
        }

        @Test
        void theZoomCountsOnlyThePartOfAGapThatIsWithinTheSpan() {
            TimeLine line = page(
                            orders().term(new PastTerm("a", NOW.minusSeconds(7200), NOW.minusSeconds(1200), false)),
                            "15m")
                    .timeLine();

            assertThat(line.availability()).isEqualTo("0.000 %");
            assertThat(line.vacancy()).isEqualTo("15 m");
        }

        @Test
        void theZoomIsEmptyIfNothingHasBeenSeen() {
            assertThat(page(orders(), "1w").timeLine().bars()).isEmpty();
        }

        @Test
        void theZoomIsOneGapIfNoProcessHasEverLed() {
            TimeLine line = page(orders().knownFor(Duration.ofHours(1))).timeLine();

            assertThat(line.bars()).extracting(TimeLine.Bar::title).containsExactly("no leader for 1 h");
            assertThat(line.availability()).isEqualTo("0.000 %");
        }

        @Test
        void theZoomHasATableOfTheLatestOnly() {
            Snapshots.Builder busy = orders();
            for (int i = 50; i > 0; i--) {
                busy.term(new PastTerm("holder-" + i, NOW.minusSeconds(10L * i), NOW.minusSeconds(10L * i - 9), false));
            }
            TimeLine line = page(busy).timeLine();

            assertThat(line.bars()).hasSize(100);
            assertThat(line.table()).hasSize(TimeLine.LONGEST_TABLE);
            assertThat(line.table().get(1).holder()).isEqualTo("holder-1");
            assertThat(line.older()).isEqualTo(60);
        }
    }

    @Nested
    class Kubectl {

        @Test
        void theKubectlSectionShowsTheLeaseItsEventsAndTheLeadersPod() {
            assertThat(page(led()).look())
                    .extracting(Command::line)
                    .contains(
                            "kubectl get lease -n shop orders -o yaml",
                            "kubectl get leasecandidates.coordination.cle.io -n shop",
                            "kubectl describe pod -n shop a-pod")
                    .anySatisfy(line -> assertThat(line).contains("get events -n shop", "involvedObject.name=orders"));
        }

        @Test
        void theKubectlSectionMakesACanaryLeadAndTakesThatBack() {
            assertThat(page(led()).act())
                    .extracting(Command::line)
                    .contains(
                            "kubectl annotate lease -n shop orders --overwrite coordination.k8s.io/strategy=NewestCompatibilityVersion",
                            "kubectl annotate lease -n shop orders coordination.k8s.io/strategy-");
        }

        @Test
        void theKubectlSectionPinsTheStrategyThatCandidatesAskForByALeaseConfiguration() {
            assertThat(page(led()).act())
                    .extracting(Command::line)
                    .contains("echo '{\"apiVersion\":\"coordination.cle.io/v1alpha1\",\"kind\":\"LeaseConfiguration\","
                            + "\"metadata\":{\"name\":\"orders\",\"namespace\":\"shop\"},\"spec\":{\"targetLease\":"
                            + "\"shop/orders\",\"strategy\":\"OldestCompatibilityVersion\"}}' | kubectl apply -f -");
        }

        @Test
        void theKubectlSectionPinsNoStrategyThatSomebodyHasSet() {
            assertThat(page(led().strategy("NewestCompatibilityVersion")).act())
                    .extracting(Command::line)
                    .noneMatch(line -> line.contains("LeaseConfiguration"));
        }

        @Test
        void theKubectlSectionEndsEveryClaimByALineThatCitesTheVersion() {
            assertThat(page(led().change(lease -> lease.resourceVersion("123"))).act())
                    .extracting(Command::line)
                    .contains(
                            "kubectl patch lease orders -n shop --type=merge -p '{\"metadata\":{\"resourceVersion\":\"123\",\"annotations\":"
                                    + "{\"coordination.cle.io/term\":\"{\\\"ended\\\":\\\"*\\\",\\\"after\\\":\\\"123\\\"}\"}},"
                                    + "\"spec\":{\"holderIdentity\":\"\",\"leaseDurationSeconds\":1}}'");
        }

        @Test
        void theKubectlSectionAsksWhatTheServiceAccountOfTheLeadersPodMayDo() {
            assertThat(page(led()).act())
                    .extracting(Command::line)
                    .contains(
                            "kubectl auth can-i patch leases.coordination.k8s.io/orders -n shop --as=system:serviceaccount:shop:"
                                    + "$(kubectl get pod -n shop a-pod -o jsonpath={.spec.serviceAccountName})");
        }

        @Test
        void theKubectlSectionAsksForTheDefaultServiceAccountIfNoPodIsKnown() {
            assertThat(page(orders().candidate("a", "1.0.0")).act())
                    .extracting(Command::line)
                    .anyMatch(line -> line.endsWith("--as=system:serviceaccount:shop:default"));
            assertThat(page(orders().candidate("a", "1.0.0")).act())
                    .extracting(Command::purpose)
                    .contains(
                            "may the application's service account (put its name in place of default) renew this lease?");
        }

        @Test
        void theKubectlSectionAsksForNoAnnotationWhereKubeApiserverElects() {
            ElectionView lease = led().build();
            CoordinatorSnapshot snapshot = new CoordinatorSnapshot(
                    NOW, true, null, List.of(), ElectionPolicy.DEFAULT, ApiFormat.NATIVE, List.of(lease));

            assertThat(LeasePage.of(snapshot, lease, Span.ALL).act())
                    .extracting(Command::line)
                    .noneMatch(line -> line.contains("annotate"))
                    .anyMatch(line -> line.contains("leasecandidates.coordination.k8s.io"));
        }

        @Test
        void theKubectlSectionHasNoLineForANameThatAShellCouldMisread() {
            assertThat(page(Snapshots.lease("shop", "orders;reboot").candidate("a", "1.0.0"))
                            .look())
                    .isEmpty();
        }

        @Test
        void theKubectlSectionHasNoLineForACandidateThatAShellCouldMisread() {
            assertThat(page(orders().candidate("$(reboot)", "1.0.0"))
                            .ranking()
                            .get(0)
                            .command())
                    .isNull();
        }
    }

    @Test
    void workOutWhatTheTimingsAmountTo() {
        assertThat(page(led()).timings())
                .extracting(LeasePage.Fact::name, LeasePage.Fact::value)
                .contains(tuple("lease duration", "15 s"))
                .contains(tuple("renew deadline", "10 s"));
        assertThat(page(led()).timings().get(1).meaning()).contains("outage of the API server of 5 s", "1.50");
    }
}
