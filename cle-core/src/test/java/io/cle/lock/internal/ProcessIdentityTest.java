package io.cle.lock.internal;

import java.util.Random;

import io.cle.model.internal.Names;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessIdentityTest {

    @ParameterizedTest
    @CsvSource({
        "orders-7f9c-x2k, orders-7f9c-x2k-",
        "Laptop.local, laptop-local-",
        "_under_, under-",
        "'', process-",
        "---, process-"
    })
    void beginsWithWhatADnsNameCanHaveOfTheHostName(String host, String beginning) {
        assertThat(ProcessIdentity.of(host, new Random(1))).matches(beginning + "[a-z0-9]{5}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-------aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void isAValidNameHoweverLongTheHostNameIs(String host) {
        String identity = ProcessIdentity.of(host, new Random(1));
        assertThat(Names.problemOfName(identity)).isEmpty();
        assertThat(identity).hasSizeLessThanOrEqualTo(63 + 6);
    }
}
