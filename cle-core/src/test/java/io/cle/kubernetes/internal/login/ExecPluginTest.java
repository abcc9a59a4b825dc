package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the plugins are shell scripts")
class ExecPluginTest {

    private static final String V1 = "client.authentication.k8s.io/v1";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final HandClock clock = new HandClock();

    @TempDir
    private Path directory;

    private ExecPlugin plugin(String script, Duration longestRun) throws IOException {
        return new ExecPlugin(command(script, null), longestRun, clock);
    }

    private ExecPlugin.Command command(String script, JsonObject cluster) throws IOException {
        Path file = Files.writeString(directory.resolve("plugin"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new ExecPlugin.Command(
                file.toString(), List.of("first"), V1, Map.of("REGION", "here"), cluster, "install it by hand");
    }

    private static String printing(String status) {
        return "cat <<'END'\n{\"apiVersion\": \"" + V1 + "\", \"kind\": \"ExecCredential\", \"status\": {" + status
                + "}}\nEND\n";
    }

    private static String json(String pem) {
        return '"' + pem.replace("\n", "\\n") + '"';
    }

    @Nested
    class Credentials {

        @Test
        void credentialsAreTokens() throws IOException {
            Renewed.Fresh<Credential> fresh =
                    plugin(printing("\"token\": \"t\""), LONG).read();

            assertThat(fresh.value().token()).isEqualTo("t");
            assertThat(fresh.value().certificate()).isNull();
        }

        @Test
        void credentialsAreRenewedOnlyAfterARefusalIfTheyDoNotSayWhenTheyEnd() throws IOException {
            Renewed.Fresh<Credential> fresh =
                    plugin(printing("\"token\": \"t\""), LONG).read();

            assertThat(fresh.renewIn()).isNull();
            assertThat(fresh.validFor()).isNull();
        }

        @ParameterizedTest
        @CsvSource({
            "2026-01-01T00:10:00Z, PT8M, PT10M",
            "2026-01-01T12:00:00Z, PT11H55M, PT12H",
            "2026-01-01T01:00:30+01:00, PT24S, PT30S",
            "2025-01-01T00:00:00Z, PT8S, PT10S"
        })
        void credentialsAreRenewedShortlyBeforeTheyEnd(String end, Duration renewIn, Duration validFor)
                throws IOException {
            Renewed.Fresh<Credential> fresh = plugin(
                            printing("\"token\": \"t\", \"expirationTimestamp\": \"" + end + "\""), LONG)
                    .read();

            assertThat(fresh.renewIn()).isEqualTo(renewIn);
            assertThat(fresh.validFor()).isEqualTo(validFor);
        }

        @Test
        void credentialsAreCertificatesWhichEndByThemselves() throws IOException {
            Instant now = clock.wall();
            HeldCertificate certificate = new HeldCertificate.Builder()
                    .commonName("plugin")
                    .validityInterval(
                            now.minusSeconds(60).toEpochMilli(),
                            now.plusSeconds(600).toEpochMilli())
                    .build();

            Renewed.Fresh<Credential> fresh = plugin(
                            printing("\"clientCertificateData\": " + json(certificate.certificatePem())
                                    + ", \"clientKeyData\": " + json(certificate.privateKeyPkcs8Pem())
                                    + ", \"expirationTimestamp\": \"2030-01-01T00:00:00Z\""),
                            LONG)
                    .read();

            assertThat(fresh.value().certificate()).hasToString("CN=plugin, valid until 2026-01-01T00:10:00Z");
            assertThat(fresh.validFor()).isEqualTo(Duration.ofMinutes(10));
        }

        @Test
        void credentialsAreNotShownInText() throws IOException {
            assertThat(plugin(printing("\"token\": \"secret\""), LONG).read().toString())
                    .doesNotContain("secret");
        }
    }

    @Nested
    class Program {

        @Test
        void theProgramIsToldWhatAKubeconfigSaysAndOfTheCluster() throws IOException {
            JsonObject cluster = new JsonObject();
            cluster.addProperty("server", "https://api");
            Path told = directory.resolve("told");
            String script = "echo \"$KUBERNETES_EXEC_INFO\" > '" + told + "'\n"
                    + printing("\"token\": \"$1 $REGION\"").replace("'END'", "END");

            Renewed.Fresh<Credential> fresh = new ExecPlugin(command(script, cluster), LONG, clock).read();

            assertThat(fresh.value().token()).isEqualTo("first here");
            assertThat(JsonParser.parseString(Files.readString(told)))
                    .isEqualTo(JsonParser.parseString("{'apiVersion': '" + V1
                            + "', 'kind': 'ExecCredential', 'spec': {'interactive': false,"
                            + " 'cluster': {'server': 'https://api'}}}"));
        }

        @Test
        void theProgramFindsItsInputClosed() throws IOException {
            assertThat(plugin("cat > /dev/null\n" + printing("\"token\": \"t\""), LONG)
                            .read()
                            .value()
                            .token())
                    .isEqualTo("t");
        }

        @Test
        void theProgramIsReportedWithItsExitCode() throws IOException {
            ExecPlugin plugin = plugin("exit 7", LONG);

            assertThatThrownBy(plugin::read).hasMessage("it failed with exit code 7");
        }

        @Test
        void theProgramIsReportedWithWhatToDoIfItIsMissing() {
            ExecPlugin plugin = new ExecPlugin(
                    new ExecPlugin.Command(
                            directory.resolve("missing").toString(), List.of(), V1, Map.of(), null, "install it"),
                    LONG,
                    clock);

            assertThatThrownBy(plugin::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("it can't be run: ")
                    .hasMessageEndingWith("; install it");
        }

        @Test
        void theProgramIsEndedWithAllThatItStartedIfItHangs() throws Exception {
            Path started = directory.resolve("started");
            ExecPlugin plugin = plugin("sleep 600 &\necho $! > '" + started + "'\nwait\n", Duration.ofSeconds(2));

            assertThatThrownBy(plugin::read).hasMessage("it was killed because it had not finished after 2 s");

            long pid = Long.parseLong(Files.readString(started).strip());
            ProcessHandle.of(pid)
                    .ifPresent(process -> assertThat(process.onExit()).succeedsWithin(20, TimeUnit.SECONDS));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "echo secret",
                    "echo '{\"apiVersion\": \"v1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": \"secret\"}}'",
                    "echo '{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\", \"secret\": 1}'",
                    ""
                })
        void theProgramIsReportedIfItPrintsNoCredentialButNotWhatItPrints(String script) throws IOException {
            ExecPlugin plugin = plugin(script, LONG);

            assertThatThrownBy(plugin::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("output")
                    .hasMessageNotContaining("secret");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "\"token\": \"\"",
                    "\"clientCertificateData\": \"c\"",
                    "\"clientKeyData\": \"k\"",
                    "\"clientCertificateData\": \"c\", \"clientKeyData\": \"k\"",
                    "\"token\": \"t\", \"expirationTimestamp\": \"soon\""
                })
        void theProgramIsReportedIfItsCredentialIsNone(String status) throws IOException {
            ExecPlugin plugin = plugin(printing(status), LONG);

            assertThatThrownBy(plugin::read).isInstanceOf(IOException.class);
        }
    }
}
