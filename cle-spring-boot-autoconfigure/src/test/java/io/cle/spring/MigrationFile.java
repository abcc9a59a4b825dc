package io.cle.spring;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Configurations of leader migrations as resources that need no file. */
public final class MigrationFile {

    private MigrationFile() {}

    /**
     * Returns the property {@code cle.migration.config-file}.
     *
     * @param controllers each as {@code <controller>=<component>}
     */
    public static String of(String leaderName, String... controllers) {
        StringBuilder yaml = new StringBuilder("leaderName: " + leaderName + "\ncontrollerLeaders:\n");
        for (String controller : controllers) {
            String[] parts = controller.split("=", 2);
            yaml.append("- name: " + parts[0] + "\n  component: " + parts[1] + "\n");
        }
        return ofYaml(yaml.toString());
    }

    /** Returns the property {@code cle.migration.config-file} with this content. */
    public static String ofYaml(String yaml) {
        return "cle.migration.config-file=base64:"
                + Base64.getEncoder().encodeToString(yaml.getBytes(StandardCharsets.UTF_8));
    }
}
