package io.cle.evidence.peers.measure;

import java.io.StringReader;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import io.cle.evidence.peers.measure.Measurement.Quality;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

class ResultsTest {

    private final Results results = new Results();

    @Test
    void aCellIsTheMedianWithItsSpread() {
        for (double millis : new double[] {30, 20, 45, 40}) {
            results.add(Row.SIGTERM, Contestant.LEASES, 1, millis);
        }

        assertThat(results.cell(Row.SIGTERM, Contestant.LEASES)).isEqualTo("35 (20–45)");
    }

    @Test
    void whatWasNotOverIsALowerBoundAndSoIsAMedianThatIsNoLess() {
        results.add(Row.CUT_TWO, Contestant.FABRIC8, 1, 3.8);
        results.add(new Measurement(Row.CUT_TWO, Contestant.FABRIC8, 2, 30, Quality.AT_LEAST));
        assertThat(results.cell(Row.CUT_TWO, Contestant.FABRIC8)).isEqualTo("17 (3.8–> 30)");

        results.add(new Measurement(Row.CUT_TWO, Contestant.FABRIC8, 3, 31, Quality.AT_LEAST));
        assertThat(results.cell(Row.CUT_TWO, Contestant.FABRIC8)).isEqualTo("> 30 (3.8–> 31)");
    }

    @Test
    void whatWasLostIsShown() {
        results.add(Row.SIGKILL, Contestant.FABRIC8, 1, 15_000);
        results.lost(Contestant.FABRIC8, 1, Row.SIGKILL);
        results.lost(Contestant.FABRIC8, 2, Row.SIGKILL);
        results.lost(Contestant.CLIENT_JAVA, 1, Row.SIGKILL);

        assertThat(results.cell(Row.SIGKILL, Contestant.FABRIC8)).isEqualTo("15,000, lost 1 of 2");
        assertThat(results.cell(Row.SIGKILL, Contestant.CLIENT_JAVA)).isEqualTo("lost");
        assertThat(results.csv()).contains("SIGKILL,CLIENT_JAVA,1,,LOST");
    }

    @Test
    void whatAContestantLacksIsAnEmptyCellAndNotLost() {
        results.lost(Contestant.SPRING_INTEGRATION, 1, Row.BETTER, Row.REQUESTS, Row.SIGTERM);

        assertThat(results.rows()).containsExactly(Row.SIGTERM);
        assertThat(results.cell(Row.BETTER, Contestant.SPRING_INTEGRATION)).isEmpty();
    }

    @Test
    void theTableHasAColumnForEachContestantAndARowForWhatWasMeasured() {
        results.add(Row.JAR, Contestant.CLIENT_JAVA, 1, 55.03);
        results.add(Row.FIRST, Contestant.COORDINATED, 1, 41);
        results.remark("Machine: two cores.");

        assertThat(results.markdown(List.of("", "27.0.0"))).isEqualTo("""
                | | this project, coordinated | client-java 27.0.0 |
                |---|---|---|
                | boot → leads, ms | 41 |  |
                | added to a jar, MB |  | 55 |

                - Machine: two cores.
                """);
        assertThat(results.csv()).isEqualTo("""
                row,contestant,trial,value,quality
                JAR,CLIENT_JAVA,1,55.03,EXACT
                FIRST,COORDINATED,1,41.0,EXACT
                """);
    }

    @Test
    void theChartIsWellFormedAndHasABarForEachFigure() throws Exception {
        results.add(Row.SIGTERM, Contestant.COORDINATED, 1, 50);
        results.add(Row.SIGTERM, Contestant.CLIENT_JAVA, 1, 2_000);
        results.add(new Measurement(Row.CUT_TWO, Contestant.SPRING_INTEGRATION, 1, 30, Quality.AT_LEAST));
        results.lost(Contestant.FABRIC8, 1, Row.SIGTERM);
        results.add(Row.JAR, Contestant.CLIENT_JAVA, 1, 55);

        Document chart = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(Chart.svg(results))));

        // The background, three bars of one row and one of another; the jar isn't charted.
        assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(5);
        assertThat(chart.getDocumentElement().getTextContent()).contains("lost", "> 30", "2,000");
    }
}
