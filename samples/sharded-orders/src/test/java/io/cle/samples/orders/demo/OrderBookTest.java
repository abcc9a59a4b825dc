package io.cle.samples.orders.demo;

import io.cle.samples.narration.Problems;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderBookTest {

    private static final String CUSTOMER = "customer-4711";

    private final Problems problems = new Problems();
    private final OrderBook book = new OrderBook(1, problems);

    OrderBookTest() {
        book.place(CUSTOMER);
    }

    @Test
    void anOrderThatIsDoneIsNoLongerOpen() {
        assertThat(book.begin(1, "a", 10)).isTrue();
        assertThat(book.end(1, "a", 10, true)).isTrue();

        assertThat(book.open()).isEmpty();
        assertThat(book.done()).isEqualTo(book.placed()).isEqualTo(1);
        assertThat(problems.messages()).isEmpty();
    }

    @Test
    void anOrderThatIsGivenBackIsDoneByTheNextLeader() {
        book.begin(1, "a", 10);
        book.end(1, "a", 10, false);

        assertThat(book.open()).hasSize(1);
        assertThat(book.begin(1, "b", 11)).isTrue();
        assertThat(book.end(1, "b", 11, true)).isTrue();
        assertThat(problems.messages()).isEmpty();
    }

    @Test
    void anOrderThatIsDoneIsNotBegunAgain() {
        book.begin(1, "a", 10);
        book.end(1, "a", 10, true);

        assertThat(book.begin(1, "b", 11)).isFalse();
        assertThat(book.done()).isEqualTo(1);
    }

    @Test
    void workForACustomerForWhomAnotherReplicaWorksIsReported() {
        book.begin(1, "a", 10);
        book.place(CUSTOMER);

        assertThat(book.begin(2, "b", 11)).isFalse();
        assertThat(problems.messages())
                .containsExactly(
                        "b (token 11) began to work for customer customer-4711, for whom a (token 10) was working");
    }

    @Test
    void aKilledReplicaWorksForNoCustomer() {
        book.begin(1, "a", 10);
        book.killed("a");

        assertThat(book.begin(1, "b", 11)).isTrue();
        assertThat(problems.messages()).isEmpty();
    }

    @Test
    void aRequestThatAKilledReplicaHadSentBeforeChangesNothing() {
        book.begin(1, "a", 10);
        book.killed("a");

        assertThat(book.end(1, "a", 10, true)).isFalse();
        assertThat(book.begin(1, "a", 10)).isFalse();
        assertThat(book.open()).hasSize(1);
        assertThat(problems.messages()).isEmpty();
    }

    @Test
    void workOfAnEarlierTermIsRefused() {
        assertThat(book.admits(0, 11)).isTrue();

        assertThat(book.begin(1, "a", 10)).isFalse();
        assertThat(book.refused()).isEqualTo(1);
    }

    @Test
    void anOrderOfAnEarlierTermIsNotDone() {
        book.begin(1, "a", 10);
        book.admits(0, 11);

        assertThat(book.end(1, "a", 10, true)).isFalse();
        assertThat(book.open()).hasSize(1);
        assertThat(book.refused()).isEqualTo(1);
    }

    @Test
    void anEndWithoutABeginIsReported() {
        assertThat(book.end(1, "b", 11, true)).isFalse();
        assertThat(problems.messages()).containsExactly("b (token 11) ended work on order 1 that it had not begun");
    }
}
