package io.cle.test.contract;

import java.util.Comparator;

import io.cle.model.Candidate;
import io.cle.strategy.BuiltInStrategy;
import io.cle.strategy.ElectionStrategy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The contract of strategies, for the built-in ones and for two that break it. */
class BuiltInStrategiesTest {

    @Nested
    class OldestCompatibilityVersion extends ElectionStrategyContract {
        @Override
        protected ElectionStrategy strategy() {
            return BuiltInStrategy.OLDEST_COMPATIBILITY_VERSION;
        }
    }

    @Nested
    class NewestCompatibilityVersion extends ElectionStrategyContract {
        @Override
        protected ElectionStrategy strategy() {
            return BuiltInStrategy.NEWEST_COMPATIBILITY_VERSION;
        }
    }

    @Nested
    class HighestPriority extends ElectionStrategyContract {
        @Override
        protected ElectionStrategy strategy() {
            return BuiltInStrategy.HIGHEST_PRIORITY;
        }
    }

    @Nested
    class NoCoordination extends ElectionStrategyContract {
        @Override
        protected ElectionStrategy strategy() {
            return BuiltInStrategy.NO_COORDINATION;
        }
    }

    private static ElectionStrategyContract of(Comparator<Candidate> criteria) {
        return new ElectionStrategyContract() {
            @Override
            protected ElectionStrategy strategy() {
                return new ElectionStrategy() {
                    @Override
                    public String wireName() {
                        return "Broken";
                    }

                    @Override
                    public Comparator<Candidate> criteria() {
                        return criteria;
                    }
                };
            }
        };
    }

    @Test
    void aStrategyThatPrefersTheFirstArgumentIsFound() {
        ElectionStrategyContract contract = of((unusedLeft, unusedRight) -> -1);

        assertThatThrownBy(contract::ofTwoCandidatesTheSameIsBetterWhicheverIsAskedFirst)
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aStrategyThatLooksAtRenewalsIsFound() {
        ElectionStrategyContract contract =
                of(Comparator.comparing(Candidate::renewTime, Comparator.nullsLast(Comparator.naturalOrder())));

        assertThatThrownBy(contract::renewTimePingTimeAndVersionOfACandidateDoNotCount)
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aCircleIsFound() {
        ElectionStrategyContract contract = of((left, right) -> {
            int distance = Math.floorMod(
                    left.key().name().hashCode() - right.key().name().hashCode(), 3);
            return distance == 0 ? 0 : distance == 1 ? -1 : 1;
        });

        assertThatThrownBy(contract::betterThanABetterOneIsBetter).isInstanceOf(AssertionError.class);
    }
}
