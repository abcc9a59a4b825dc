package io.cle.spring.test;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** JUnit also calls an extension that a class registers before and after each of its nested classes. */
class EmbeddedClusterTests {

    @RegisterExtension
    static final EmbeddedCluster cluster = new EmbeddedCluster();

    private static String url = "";

    @BeforeAll
    static void itRuns() {
        url = cluster.url();
    }

    @AfterAll
    static void itOutlivesTheNestedClasses() {
        assertThat(cluster.url()).isEqualTo(url);
    }

    @Nested
    class OfANestedClass {

        @Test
        void embeddedClusterOfANestedClassIsTheOneOfTheClassAroundIt() {
            assertThat(cluster.url()).isEqualTo(url);
        }
    }

    @Nested
    class OfAnotherNestedClass {

        @Test
        void embeddedClusterOfAnotherNestedClassIsTheSame() {
            assertThat(cluster.url()).isEqualTo(url);
        }
    }
}
