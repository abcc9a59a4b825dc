package io.cle.kubernetes.internal.access;

import java.util.List;
import java.util.Optional;

/**
 * What came of asking for one's rights.
 *
 * @param missing the rights that aren't granted
 * @param unchecked why some couldn't be asked for; empty when all could
 */
public record AccessReport(List<AccessRight> missing, Optional<String> unchecked) {

    /** Makes the list immutable. */
    public AccessReport {
        missing = List.copyOf(missing);
    }

    /** For a person: what is missing, and a role that would grant it; empty when nothing is known to be missing. */
    public Optional<String> problem() {
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder("Rights are missing:\n");
        missing.forEach(right -> text.append("  - ").append(right.describe()).append('\n'));
        text.append("Grant them to the service account, for example by ")
                .append(missing.stream().anyMatch(right -> right.namespace() == null) ? "a ClusterRole" : "a Role")
                .append(" with these rules, and a binding:\n")
                .append(rules());
        return Optional.of(text.toString());
    }

    /** The rules of a role that would grant what is missing, as YAML. */
    public String rules() {
        StringBuilder yaml = new StringBuilder("rules:\n");
        missing.stream()
                .map(right -> "  - apiGroups: [\"" + right.resource().group() + "\"]\n    resources: ["
                        + right.resource().plural() + "]\n"
                        + (right.name() == null ? "" : "    resourceNames: [" + right.name() + "]\n")
                        + "    verbs: [" + String.join(", ", right.verbs()) + "]\n")
                .distinct()
                .forEach(yaml::append);
        return yaml.toString();
    }
}
