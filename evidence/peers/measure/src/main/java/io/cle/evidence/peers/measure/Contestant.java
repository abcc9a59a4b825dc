package io.cle.evidence.peers.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An application to be measured. */
enum Contestant {
    COORDINATED("this project, coordinated", "", "samples/candidate/target/candidate.jar"),
    LEASES("this project, `leases`", "", "samples/candidate/target/candidate.jar"),
    CLIENT_JAVA("client-java", "client-java", "evidence/peers/client-java/target/client-java.jar"),
    FABRIC8("fabric8", "kubernetes-client", "evidence/peers/fabric8/target/fabric8.jar"),
    SPRING_INTEGRATION(
            "Spring Integration, PostgreSQL",
            "spring-integration-core",
            "evidence/peers/spring-integration/target/spring-integration.jar"),
    BARE("Spring Boot alone", "spring-boot", "evidence/peers/bare/target/bare-boot.jar");

    private final String title;
    private final String library;
    private final Path jar;

    Contestant(String title, String library, String jar) {
        this.title = title;
        this.library = library;
        this.jar = Path.of(jar);
    }

    String title() {
        return title;
    }

    /** The boot jar, seen from the root of the project. */
    Path jar() {
        return jar;
    }

    boolean isOurs() {
        return this == COORDINATED || this == LEASES;
    }

    /** Whether its state is in PostgreSQL instead of the API server. */
    boolean needsDatabase() {
        return this == SPRING_INTEGRATION;
    }

    /** Whether it elects a leader. */
    boolean elects() {
        return this != BARE;
    }

    /** The arguments by which a process is a candidate for a lease; versions matter only to what elects by them. */
    List<String> arguments(String namespace, String lease, String identity, String version) {
        return switch (this) {
            case COORDINATED, LEASES ->
                List.of(
                        "--cle.mode=kubernetes",
                        "--cle.api=crd",
                        "--cle.resource-lock=" + (this == LEASES ? "leases" : "coordinatedleases"),
                        "--cle.namespace=" + namespace,
                        "--cle.lease-name=" + lease,
                        "--cle.identity=" + identity,
                        "--cle.candidate.binary-version=" + version);
            case CLIENT_JAVA, FABRIC8, SPRING_INTEGRATION ->
                List.of("--namespace=" + namespace, "--lease=" + lease, "--identity=" + identity);
            case BARE -> List.of();
        };
    }

    /** A part of a lease's name. */
    String lease(int trial) {
        return name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + trial;
    }

    /** The size of its jar in bytes. */
    long bytes() {
        try {
            return Files.size(jar);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version of its library, from the name of its jar; empty for this project. */
    String version() {
        Pattern name = Pattern.compile("BOOT-INF/lib/" + Pattern.quote(library) + "-(\\d[\\w.]*)\\.jar");
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> name.matcher(entry.getName()))
                    .filter(Matcher::matches)
                    .map(found -> found.group(1))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
