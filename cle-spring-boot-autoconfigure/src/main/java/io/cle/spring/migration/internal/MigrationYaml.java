package io.cle.spring.migration.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.cle.InvalidConfigurationException;
import io.cle.migration.ControllerLeader;
import io.cle.migration.LeaderMigrationConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Reads a configuration in KEP-2436's form as Boot reads its own YAML, but strictly: an unknown or repeated field is an error,
 * like a missing one, because it would silently leave a controller with the wrong component. Reports errors with their lines.
 */
final class MigrationYaml {

    private static final Pattern FIELD =
            Pattern.compile("apiVersion|kind|leaderName|resourceLock|controllerLeaders\\[\\d+]\\.(name|component)");

    /** An asterisk that is the whole value of a {@code component}: a comment, or the end of the line or of the item, follows. */
    private static final Pattern BARE_ASTERISK =
            Pattern.compile("(?<![\\w.-])(component\\h*:\\h+)\\*(?=\\h*(?:$|\\h#|[,}]))", Pattern.MULTILINE);

    private MigrationYaml() {}

    /**
     * Reads a file's text.
     *
     * @param file its name, for messages
     * @throws InvalidConfigurationException with the first error and its line
     */
    static LeaderMigrationConfiguration read(String file, String text) {
        List<PropertySource<?>> documents = List.of();
        String unreadable = "it must be one document with fields such as leaderName";
        try {
            byte[] bytes = quoteAsterisks(text).getBytes(StandardCharsets.UTF_8);
            documents = new YamlPropertySourceLoader().load(file, new ByteArrayResource(bytes));
        } catch (IOException | RuntimeException e) {
            // Not only YAMLExceptions, because code that SnakeYAML calls throws its own.
            unreadable = "it can't be read as YAML: " + e.getMessage();
        }
        if (documents.size() == 1 && documents.get(0) instanceof MapPropertySource fields) {
            return configuration(file, fields);
        }
        throw failure(
                file,
                unreadable,
                "Correct it; the documentation has an example. Indent with spaces, and quote values that begin with a special character.");
    }

    private static InvalidConfigurationException failure(String file, String reason, String action) {
        return new InvalidConfigurationException(LeaderMigration.CONFIG_FILE, file, reason, action);
    }

    /**
     * Quotes the asterisks that mean any component: KEP-2436 writes {@code component: *}, but in YAML a bare asterisk begins an alias, which
     * parsers reject. All lines keep their numbers.
     */
    static String quoteAsterisks(String yaml) {
        return BARE_ASTERISK.matcher(yaml).replaceAll("$1'*'");
    }

    private static LeaderMigrationConfiguration configuration(String file, MapPropertySource document) {
        for (String name : names(document).toList()) {
            if (text(document, name) != null && !FIELD.matcher(name).matches()) {
                throw failure(
                        file,
                        place(document, name) + "there is no such field",
                        "Correct its name or remove it; the fields are apiVersion, kind, leaderName, resourceLock and"
                                + " controllerLeaders, a list of controllers, each with its name and its component.");
            }
            if (text(document, name) != null && !(document.getProperty(name) instanceof String)) {
                throw failure(
                        file,
                        place(document, name) + "YAML reads it as a number or a boolean, not as text",
                        "Quote it.");
            }
        }
        List<ControllerLeader> leaders = new ArrayList<>();
        for (String item = "controllerLeaders[0]"; isThere(document, item); ) {
            leaders.add(new ControllerLeader(
                    Objects.requireNonNullElse(text(document, item + ".name"), ""),
                    Objects.requireNonNullElse(text(document, item + ".component"), "")));
            item = "controllerLeaders[" + leaders.size() + "]";
        }
        LeaderMigrationConfiguration configuration = new LeaderMigrationConfiguration(
                text(document, "apiVersion"),
                text(document, "kind"),
                text(document, "leaderName"),
                text(document, "resourceLock"),
                leaders);
        configuration.problems().stream().findFirst().ifPresent(problem -> {
            throw failure(file, place(document, problem.place()) + problem.reason(), problem.action());
        });
        return configuration;
    }

    /** Returns the paths of all fields; an empty document has one that is {@code null}. */
    private static Stream<String> names(MapPropertySource document) {
        return Stream.of(document.getPropertyNames()).filter(Objects::nonNull);
    }

    private static boolean isThere(MapPropertySource document, String item) {
        return names(document).anyMatch(name -> name.startsWith(item));
    }

    /** Returns the value of a field; {@code null} if there is no such field, or it has no value. */
    private static @Nullable String text(MapPropertySource document, String name) {
        Object value = document.getProperty(name);
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }

    /** Returns a field and its line, or the first line of the item that lacks it. */
    private static String place(MapPropertySource document, String field) {
        String value = text(document, field);
        String item = field.replaceFirst("\\.[^.]*$", ".");
        String line = Stream.concat(Stream.of(field), names(document).filter(name -> name.startsWith(item)))
                .flatMap(name -> OriginLookup.getOrigin(document, name) instanceof TextResourceOrigin origin
                        ? Stream.ofNullable(origin.getLocation())
                        : Stream.empty())
                .map(location -> "line " + (location.getLine() + 1) + ": ")
                .findFirst()
                .orElse("");
        return line + field + (value == null ? " is not written: " : " = '" + value + "': ");
    }
}
