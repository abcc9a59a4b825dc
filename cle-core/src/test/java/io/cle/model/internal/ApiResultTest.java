package io.cle.model.internal;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ApiResultTest {

    @Test
    void describesWhatWentWrong() {
        assertThat(new ApiResult.Ok<>(1).describe()).isEqualTo("ok");
        assertThat(new ApiResult.Conflict<>("changed").describe()).isEqualTo("conflict: changed");
        assertThat(new ApiResult.Gone<>("deleted").describe()).isEqualTo("not found: deleted");
        assertThat(new ApiResult.Refused<>(403, "forbidden", null).describe())
                .isEqualTo("refused with status 403: forbidden");
        assertThat(new ApiResult.Refused<>(ApiResult.Refused.NONE, "it can't be understood", null).describe())
                .as("no server has refused it")
                .isEqualTo("it can't be understood");
        assertThat(new ApiResult.OutcomeUnknown<>("timed out").describe()).isEqualTo("outcome unknown: timed out");
    }

    @Test
    void hasAnotherValueOnlyIfItHasOne() {
        assertThat(new ApiResult.Ok<>(1).map(value -> value + 1)).isEqualTo(new ApiResult.Ok<>(2));
        for (ApiResult<Integer> problem : List.<ApiResult<Integer>>of(
                new ApiResult.Conflict<>("changed"),
                new ApiResult.Gone<>("deleted"),
                new ApiResult.Refused<>(429, "too many requests", Duration.ofSeconds(7)),
                new ApiResult.OutcomeUnknown<>("timed out"))) {
            assertThat(problem.map(String::valueOf)).isEqualTo(problem);
        }
    }
}
