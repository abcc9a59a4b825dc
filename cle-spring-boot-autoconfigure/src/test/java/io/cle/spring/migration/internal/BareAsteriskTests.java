package io.cle.spring.migration.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BareAsteriskTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "component: *|component: '*'",
                "component:   *|component:   '*'",
                "- component: * # any|- component: '*' # any",
                "[{name: a, component: *}, {component: *, name: b}]|[{name: a, component: '*'}, {component: '*', name: b}]"
            })
    void anAsteriskThatIsAComponentIsQuoted(String bare, String quoted) {
        assertThat(MigrationYaml.quoteAsterisks(bare)).isEqualTo(quoted);
    }

    @Test
    void everyLineIsReadAndStaysWhereItWas() {
        assertThat(MigrationYaml.quoteAsterisks("- name: a\n  component: *\r\n- name: b\n  component: *  \n"))
                .isEqualTo("- name: a\n  component: '*'\r\n- name: b\n  component: '*'  \n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "component: '*'",
                "component: \"*\"",
                "component: *anchor",
                "component: **",
                "component: * b",
                "name: *",
                "subcomponent: *",
                "sub-component: *",
                "component:*"
            })
    void everythingElseIsLeftAlone(String yaml) {
        assertThat(MigrationYaml.quoteAsterisks(yaml)).isEqualTo(yaml);
    }
}
