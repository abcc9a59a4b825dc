package io.cle.fencing.jdbc;

import java.util.List;

import io.cle.fencing.jdbc.WriteOrder.Read;
import io.cle.fencing.jdbc.WriteOrder.Visible;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WriteOrderTest {

    @Test
    void termsThatFollowEachOther_areNoViolation() {
        assertThat(WriteOrder.violations(List.of(new Read(1), new Visible(1), new Read(2), new Visible(2))))
                .isEmpty();
    }

    @Test
    void writeAfterALaterTermsWrite_isAViolation() {
        assertThat(WriteOrder.violations(List.of(new Visible(2), new Visible(1))))
                .hasSize(1);
    }

    @Test
    void writeAfterALaterTermsRead_isAViolation() {
        assertThat(WriteOrder.violations(List.of(new Read(2), new Visible(1)))).hasSize(1);
    }

    @Test
    void readOfAFormerTerm_isNoViolation() {
        assertThat(WriteOrder.violations(List.of(new Visible(2), new Read(1)))).isEmpty();
    }
}
