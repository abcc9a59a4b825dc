package io.cle.kubernetes.internal.watch;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** How a reflector handles watches that fail, end or fall silent. */
class ReflectorPatienceTest extends ReflectorFixture {

    private static final Duration SIX_SECONDS = Duration.ofSeconds(6);
    private static final Lease LEASE = Lease.builder(ORDERS).holder("a").build();

    /** Renews the lease as a holder does. */
    private void write(String version) {
        transport.answer(200, lease(version, "a"));
        client.patch(LeaseJson.CRD, ORDERS, () -> LeaseJson.CRD.patch(LEASE), "5");
        loop.runReady();
    }

    @Nested
    class AWatchThatEnds {

        @Test
        void aWatchThatEndsAgainAndAgainWithoutAnyEventBacksOff() {
            watchFrom("7", lease("5", "a"));

            end(new WatchEnd.Completed());
            assertThat(events).isEmpty();
            end(new WatchEnd.Completed());

            assertThat(transport.watches).hasSize(2);
            assertThat(events).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
                assertThat(interrupted.message()).contains("repeatedly ends");
                assertThat(interrupted.retryIn()).isBetween(Duration.ofMillis(100), Duration.ofMillis(200));
            });
            transport.answer(200, list("8", lease("8", "b")));
            loop.advance(A_MOMENT);
            assertThat(transport.watches).hasSize(3);
            assertThat(events.get(1)).isInstanceOf(WatchEvent.Snapshot.class);
        }

        @Test
        void aWatchThatEndsAgainAndAgainAfterAWhileDoesNotBackOff() {
            watchFrom("7", lease("5", "a"));

            for (int i = 0; i < 20; i++) {
                loop.advance(SIX_SECONDS);
                end(new WatchEnd.Completed());
            }

            assertThat(transport.watches).hasSize(21);
            assertThat(transport.requests).hasSize(1);
            assertThat(events).isEmpty();
        }

        /** Listing all objects would take seconds, a gap in the observation of each. */
        @Test
        void aWatchThatEndsBecauseItBreaksIsResumedAtOnceIfItHasWorked() {
            watchFrom("7", lease("5", "a"));
            event("MODIFIED", lease("8", "b"));
            events.clear();

            end(new WatchEnd.Broken("connection reset"));

            assertThat(events).isEmpty();
            assertThat(transport.requests).hasSize(1);
            assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "8");
            event("MODIFIED", lease("9", "c"));
            assertThat(events).singleElement().isInstanceOf(WatchEvent.Changed.class);
        }

        @Test
        void aWatchThatBreaksAndCannotBeResumedIsReportedAndFollowedByAList() {
            watchFrom("7", lease("5", "a"));
            event("MODIFIED", lease("8", "b"));
            events.clear();
            transport.answer(200, list("9", lease("9", "c")));

            end(new WatchEnd.Broken("connection reset"));
            end(new WatchEnd.NotOpened("connection refused"));
            loop.advance(A_MOMENT);

            assertThat(events.get(0)).isInstanceOf(WatchEvent.Interrupted.class);
            assertThat(events.get(1)).isInstanceOf(WatchEvent.Snapshot.class);
        }

        @Test
        void aWatchThatEndsBecauseItBreaksBeforeItHasWorkedIsReportedAndFollowedByASnapshot() {
            watchFrom("7", lease("5", "a"));
            transport.answer(200, list("9", lease("9", "c")));

            end(new WatchEnd.Broken("connection reset"));
            loop.advance(A_MOMENT);

            assertThat(events.get(0))
                    .isInstanceOfSatisfying(
                            WatchEvent.Interrupted.class,
                            interrupted -> assertThat(interrupted.message()).contains("connection reset"));
            assertThat(events.get(1)).isInstanceOf(WatchEvent.Snapshot.class);
            assertThat(events).hasSize(2);
        }

        @Test
        void beforeItOpensIsReportedAndFollowedByAListAndBacksOffHoweverLongItTook() {
            watchFrom("7", lease("5", "a"));
            for (int i = 0; i < 6; i++) {
                transport.answer(200, list("9", lease("9", "c")));
                loop.advance(SIX_SECONDS);
                end(new WatchEnd.NotOpened("Read timed out"));
                loop.advance(SIX_SECONDS);
            }

            List<WatchEvent.Interrupted<Lease>> interruptions = events.stream()
                    .filter(event -> event instanceof WatchEvent.Interrupted)
                    .map(event -> (WatchEvent.Interrupted<Lease>) event)
                    .toList();
            assertThat(interruptions)
                    .hasSize(6)
                    .allMatch(interrupted -> interrupted.message().equals("Read timed out"));
            assertThat(interruptions.get(5).retryIn()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
            assertThat(events).last().isInstanceOf(WatchEvent.Snapshot.class);
        }
    }

    @Nested
    class AWatchThatFailsWhileListsSucceed {

        private static final String GONE = "{'kind': 'Status', 'code': 410, 'message': 'too old resource version'}";
        private static final String NO_LEADER = "{'kind': 'Status', 'code': 500, 'message': 'etcdserver: no leader'}";

        /** Ends every watch with an error for a while. */
        private void failFor(Duration duration, String status, String... before) {
            long end = loop.clock().nanos() + duration.toNanos();
            for (int i = 0; i < 1000 && loop.clock().nanos() < end; i++) {
                transport.answer(200, list("7", lease("5", "a")));
                int open = transport.watches.size();
                for (String version : before) {
                    event("BOOKMARK", "{'metadata': {'resourceVersion': '" + version + "'}}");
                }
                event("ERROR", status);
                for (int waited = 0; waited < 1000 && transport.watches.size() == open; waited++) {
                    loop.advance(Duration.ofMillis(100));
                }
            }
        }

        private List<WatchEvent.Interrupted<Lease>> interruptions() {
            return events.stream()
                    .filter(event -> event instanceof WatchEvent.Interrupted)
                    .map(event -> (WatchEvent.Interrupted<Lease>) event)
                    .toList();
        }

        @ParameterizedTest
        @ValueSource(strings = {GONE, NO_LEADER})
        void aWatchThatFailsWhileListsSucceedIsOpenedLessAndLessOften(String status) {
            watchFrom("7", lease("5", "a"));

            failFor(Duration.ofMinutes(10), status);

            assertThat(transport.watches).hasSizeBetween(25, 50);
            assertThat(interruptions()).last().matches(WatchEvent.Interrupted::again);
        }

        @ParameterizedTest
        @ValueSource(strings = {GONE, NO_LEADER})
        void aWatchThatFailsWhileListsSucceedIsOpenedLessAndLessOftenAlsoIfEachBringsABookmark(String status) {
            watchFrom("7", lease("5", "a"));

            failFor(Duration.ofMinutes(10), status, "7");

            assertThat(transport.watches).hasSizeBetween(25, 60);
            assertThat(interruptions()).last().matches(WatchEvent.Interrupted::again);
        }

        @Test
        void aWatchThatFailsWhileListsSucceedIsNotSaidToFailAgainTheFirstTime() {
            watchFrom("7", lease("5", "a"));
            transport.answer(200, list("7", lease("5", "a")));

            event("ERROR", NO_LEADER);

            assertThat(interruptions()).singleElement().matches(interrupted -> !interrupted.again());
        }

        @Test
        void aWatchThatFailsWhileListsSucceedHasRecoveredWhenItHasLivedForAWhile() {
            watchFrom("7", lease("5", "a"));
            failFor(Duration.ofMinutes(2), NO_LEADER);
            loop.advance(Duration.ofSeconds(14));
            assertThat(events).noneMatch(event -> event instanceof WatchEvent.Recovered);

            loop.advance(Duration.ofSeconds(2));

            assertThat(events)
                    .last()
                    .isInstanceOfSatisfying(
                            WatchEvent.Recovered.class,
                            recovered -> assertThat(recovered.after())
                                    .isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3)));
        }

        @Test
        void aWatchThatFailsWhileListsSucceedHasRecoveredWhenItBringsSomethingAfterAWhile() {
            watchFrom("7", lease("5", "a"));
            failFor(Duration.ofMinutes(2), NO_LEADER);
            loop.advance(Duration.ofSeconds(5));

            event("MODIFIED", lease("8", "b"));

            assertThat(events).last().isInstanceOf(WatchEvent.Recovered.class);
        }

        @Test
        void aWatchThatFailsWhileListsSucceedIsResumedAtOnceIfItLivesLongerThanAMoment() {
            watchFrom("7", lease("5", "a"));
            for (int i = 8; i < 40; i++) {
                loop.advance(Duration.ofSeconds(2));
                event("MODIFIED", lease(Integer.toString(i), "a"));
                end(new WatchEnd.Completed());
            }

            assertThat(interruptions()).isEmpty();
            assertThat(transport.requests).hasSize(1);
        }
    }

    @Nested
    class AServer {

        @Test
        void aServerThatForgetsEveryVersionIsNotAskedWithoutPause() {
            watchFrom("7");
            for (int i = 0; i < 10; i++) {
                transport.answer(200, list("90"));
            }

            String gone = "{'kind': 'Status', 'code': 410, 'message': 'too old resource version'}";
            event("ERROR", gone);
            event("ERROR", gone);

            assertThat(events).last().isInstanceOf(WatchEvent.Interrupted.class);
            assertThat(transport.requests).hasSize(2);
        }

        @Test
        void aServerThatIsAwayIsTriedForEverWithGrowingPausesOfTwoSecondsAtMost() {
            watchOrders();
            loop.advance(Duration.ofMinutes(30));

            List<Duration> pauses = events.stream()
                    .map(event -> ((WatchEvent.Interrupted<Lease>) event).retryIn())
                    .toList();
            assertThat(pauses.get(0)).isLessThanOrEqualTo(Duration.ofMillis(200));
            assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(2)) <= 0);
            assertThat(pauses.subList(5, pauses.size())).allMatch(pause -> pause.compareTo(Duration.ofSeconds(1)) >= 0);

            transport.answer(200, list("7", lease("5", "a")));
            loop.advance(Duration.ofSeconds(3));
            assertThat(events).last().isInstanceOf(WatchEvent.Snapshot.class);
            events.clear();
            event("MODIFIED", lease("8", "b"));
            end(new WatchEnd.Broken("reset"));
            end(new WatchEnd.NotOpened("refused"));
            assertThat(((WatchEvent.Interrupted<Lease>) events.get(1)).retryIn())
                    .as("pauses start over after a success")
                    .isLessThanOrEqualTo(Duration.ofMillis(200));
        }

        @Test
        void aServerWhoseListsFailSlowlyIsNotAskedWithoutPauseEither() {
            transport.noAnswer("timed out");
            watchOrders();
            for (int i = 0; i < 8; i++) {
                loop.advance(Duration.ofSeconds(40));
            }

            assertThat(((WatchEvent.Interrupted<Lease>) events.get(events.size() - 1)).retryIn())
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        }

        @Test
        void aServerThatRefusesIsAskedLessAndLessOften() {
            for (int i = 0; i < 12; i++) {
                transport.answer(403, "{'message': 'forbidden'}");
            }
            watchOrders();
            for (int i = 0; i < 11; i++) {
                loop.advance(Duration.ofSeconds(31));
            }

            assertThat(((WatchEvent.Interrupted<Lease>) events.get(11)).retryIn())
                    .isGreaterThan(Duration.ofSeconds(10));
        }

        @Test
        void aServerThatRefusesOnceAfterAnOutageIsAskedAgainSoon() {
            watchOrders();
            loop.advance(Duration.ofMinutes(1));
            events.clear();

            transport.answer(403, "{'message': 'not ready'}");
            loop.advance(Duration.ofSeconds(2));

            assertThat(events).first().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
                assertThat(interrupted.message()).contains("not ready");
                assertThat(interrupted.retryIn()).isLessThanOrEqualTo(Duration.ofMillis(200));
            });
        }

        @Test
        void aServerThatAsksForPatienceGetsIt() {
            transport.answer(429, "{'message': 'slow down'}", Duration.ofSeconds(17));

            watchOrders();

            assertThat(events).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
                assertThat(interrupted.retryIn()).isEqualTo(Duration.ofSeconds(17));
                assertThat(interrupted.message()).contains("slow down");
            });
        }

        @Test
        void aServerThatDoesNotServeAKindIsReportedWithTheWayOut() {
            transport.answer(404, "{'message': '404 page not found'}");

            client.watch(CandidateJson.of(ResourceType.CRD_CANDIDATES), new ObjectKey("shop", "orders-a"), event -> {
                assertThat(event)
                        .isInstanceOfSatisfying(
                                WatchEvent.Interrupted.class,
                                interrupted -> assertThat(interrupted.message())
                                        .contains("cle-coordinator-app/deploy/helm/files/crds/leasecandidates.yaml"));
                events.add(null);
            });
            loop.runReady();

            assertThat(events).hasSize(1);
        }

        @Test
        void aServerThatDoesNotServeAnOptionalKindLeadsToOneEmptySnapshotAndIsAskedAgain() {
            WatchedKind<Lease> optional =
                    WatchedKind.all(LeaseJson.CRD, Map.of()).asOptional();
            for (int i = 0; i < 3; i++) {
                transport.answer(404, "{'message': '404 page not found'}");
            }
            client.watch(optional, events::add);
            loop.advance(Reflector.OPTIONAL_RETRY.multipliedBy(2));

            assertThat(transport.requests).hasSize(3);
            assertThat(events.get(0)).isEqualTo(new WatchEvent.Snapshot<>(List.of()));
            assertThat(events.get(1)).isInstanceOf(WatchEvent.NotServed.class);
            assertThat(events).hasSize(2);

            transport.answer(200, list("7", lease("5", "a")));
            loop.advance(Reflector.OPTIONAL_RETRY);
            assertThat(((WatchEvent.Snapshot<Lease>) events.get(events.size() - 1)).objects())
                    .hasSize(1);
        }

        /** The CRD of lease configurations is deleted. */
        @Test
        void aServerThatServesAnOptionalKindNoMoreInterruptsNothing() {
            String missing = "{'message': '404 page not found'}";
            transport.answer(200, list("7", lease("5", "a"))).answer(404, missing);
            client.watch(WatchedKind.all(LeaseJson.CRD, Map.of()).asOptional(), events::add);
            loop.runReady();
            events.clear();

            end(new WatchEnd.Refused(new ApiResponse.Answered(404, FakeTransport.json(missing), null)));

            assertThat(events.get(0)).isEqualTo(new WatchEvent.Snapshot<>(List.of()));
            assertThat(events.get(1)).isInstanceOf(WatchEvent.NotServed.class);
            assertThat(events).hasSize(2);
        }

        @Test
        void aServerThatListsAnOptionalKindAndRefusesItsWatchIsNotAskedInALoop() {
            String missing = "{'message': '404 page not found'}";
            transport.answer(200, list("7")).answer(200, list("7"));
            client.watch(WatchedKind.all(LeaseJson.CRD, Map.of()).asOptional(), events::add);
            loop.runReady();
            events.clear();

            end(new WatchEnd.Refused(new ApiResponse.Answered(404, FakeTransport.json(missing), null)));
            end(new WatchEnd.Refused(new ApiResponse.Answered(404, FakeTransport.json(missing), null)));

            assertThat(events).hasSize(2).last().isInstanceOf(WatchEvent.Interrupted.class);
        }
    }

    @Nested
    class ASilentWatch {

        @Test
        void aSilentWatchIsCutAndResumedAndWhenThatIsSilentFromTheBeginningBegunAnew() {
            watchFrom("7", lease("5", "a"));
            event("BOOKMARK", "{'metadata': {'resourceVersion': '8'}}");

            loop.advance(Reflector.SILENCE);

            assertThat(transport.watches).hasSize(2);
            assertThat(transport.watches.get(0).cut).isTrue();
            assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "8");
            assertThat(events).isEmpty();

            transport.answer(200, list("9", lease("9", "b")));
            loop.advance(Reflector.SILENCE);

            assertThat(events).singleElement().isInstanceOf(WatchEvent.Snapshot.class);
            assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "9");
        }

        @Test
        void aSilentWatchIsNoneIfBookmarksCome() {
            watchFrom("7", lease("5", "a"));

            for (int i = 0; i < 30; i++) {
                loop.advance(Duration.ofMinutes(1));
                event("BOOKMARK", "{'metadata': {'resourceVersion': '" + (10 + i) + "'}}");
            }

            assertThat(transport.watches).hasSize(1);
            assertThat(events).isEmpty();
        }
    }

    @Nested
    class AWatchThatLagsBehindTheServersAnswers {

        @Test
        void
                aWatchThatLagsBehindTheServersAnswersDoesNotShowAWriteOfThisProcessAndIsFollowedByAListAfterTheNextAnswer() {
            watchFrom("7", lease("5", "a"));
            write("8");
            loop.advance(SIX_SECONDS);
            write("9");

            assertThat(events).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
                assertThat(interrupted.message()).contains("version 8").contains("6000 ms");
            });
            transport.answer(200, list("9", lease("9", "c")));
            loop.advance(A_MOMENT);
            assertThat(events).last().isInstanceOf(WatchEvent.Snapshot.class);
        }

        @Test
        void aWatchThatLagsBehindTheServersAnswersIsNoneIfItShowsTheWriteOrWhatCameAfterIt() {
            watchFrom("7", lease("5", "a"));
            write("8");
            event("MODIFIED", lease("8", "a"));
            loop.advance(SIX_SECONDS);
            write("9");
            event("MODIFIED", lease("10", "b"));
            loop.advance(SIX_SECONDS);
            write("11");
            write("12");

            assertThat(transport.watches).hasSize(1);
            assertThat(events).allMatch(event -> event instanceof WatchEvent.Changed);
        }

        @Test
        void aWatchThatLagsBehindTheServersAnswersOrHasReportedLaterVersionsThanTheAnswersGiveIsFollowedByAList() {
            watchFrom("90", lease("85", "a"));
            write("61");
            loop.advance(SIX_SECONDS);
            write("62");

            assertThat(events)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WatchEvent.Interrupted.class,
                            interrupted -> assertThat(interrupted.message()).contains("the last of version 62"));
        }

        @Test
        void aWatchThatLagsBehindTheServersAnswersIsNoneIfItHasOvertakenTheAnswer() {
            watchFrom("90", lease("85", "a"));
            write("89");
            write("91");
            event("MODIFIED", lease("91", "a"));
            loop.advance(SIX_SECONDS);
            write("90");

            assertThat(transport.watches).hasSize(1);
            assertThat(events).hasSize(1);
        }

        @Test
        void aWatchThatLagsBehindTheServersAnswersIsNoneIfTheWriteIsOfAnotherObject() {
            watchFrom("7", lease("5", "a"));
            for (int version = 8; version < 11; version++) {
                transport.answer(200, lease(String.valueOf(version), "a").replace("'orders'", "'others'"));
                client.read(LeaseJson.CRD, new ObjectKey("shop", "others"));
                loop.advance(SIX_SECONDS);
            }

            assertThat(transport.watches).hasSize(1);
            assertThat(events).isEmpty();
        }

        @Test
        void aWatchByLabelThatLagsBehindTheServersAnswersIsFollowedByAListToo() {
            watchByLabel();
            write("8");
            loop.advance(SIX_SECONDS);
            write("9");

            assertThat(events)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            WatchEvent.Interrupted.class,
                            interrupted -> assertThat(interrupted.message()).contains("hasn't shown version 8"));
        }

        @Test
        void aWatchByLabelNeedNotShowWritesOfObjectsThatItHasNotReported() {
            watchByLabel();
            event("DELETED", lease("8", "a"));
            events.clear();
            for (int version = 9; version < 12; version++) {
                write(String.valueOf(version));
                loop.advance(SIX_SECONDS);
            }

            assertThat(transport.watches).hasSize(1);
            assertThat(events).isEmpty();
        }

        private void watchByLabel() {
            transport.answer(200, list("7", lease("5", "a")));
            client.watch(
                    WatchedKind.labelled(LeaseJson.CRD, "group", "orders-16").in("shop"), events::add);
            loop.runReady();
            events.clear();
        }
    }
}
