package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.kubernetes.client.persister.FilePersister;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;

/**
 * One or several kubeconfig files, merged as kubectl does: if several files set the current context, or have a cluster, context or user of
 * the same name, the first one is used as a whole. If several files are named, missing and empty ones are ignored. client-java reads the
 * first file only.
 */
final class KubeconfigFiles {

    private final String source;

    /** The existing files, in order. */
    private final Map<Path, KubeConfig> files;

    private final KubeConfig merged = new KubeConfig(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

    /** The file of each cluster and user, by identity. */
    private final IdentityHashMap<Object, Path> origins = new IdentityHashMap<>();

    private KubeconfigFiles(String source, Map<Path, KubeConfig> files) {
        this.source = source;
        this.files = files;
        files.forEach((file, one) -> {
            merge("context", file, one.getContexts(), merged.getContexts());
            merge("cluster", file, one.getClusters(), merged.getClusters());
            merge("user", file, one.getUsers(), merged.getUsers());
        });
    }

    /**
     * Reads and merges files.
     *
     * @param named at least one file
     * @param foundBy the source of the file names, such as {@code KUBECONFIG}, for messages
     * @param context the context to use; {@code null} for the current one
     * @throws NoClusterConfigurationException if they can't be used, or name no server
     */
    static KubeconfigFiles read(List<Path> named, String foundBy, @Nullable String context) {
        Map<Path, KubeConfig> files = new LinkedHashMap<>();
        List<Path> missing = new ArrayList<>();
        for (Path file : named) {
            String source = file + ", named by " + foundBy;
            try {
                String text = Files.readString(file);
                if (!text.isBlank()) {
                    files.put(file, parse(text, source));
                } else if (named.size() == 1) {
                    throw new NoClusterConfigurationException("the kubeconfig " + source + ", is empty", null);
                }
            } catch (NoSuchFileException e) {
                missing.add(file);
            } catch (IOException e) {
                throw new NoClusterConfigurationException("the kubeconfig " + source + ", can't be read: " + e, e);
            }
        }
        String source = joined(named)
                + (missing.isEmpty() || named.size() == 1 ? "" : " (" + joined(missing) + " doesn't exist)")
                + ", named by " + foundBy;
        if (files.isEmpty()) {
            throw new NoClusterConfigurationException(
                    "the kubeconfig " + source + ", can't be read: "
                            + (named.size() == 1 ? "there is no such file" : "each of its files is missing or empty"),
                    null);
        }
        KubeconfigFiles kubeconfig = new KubeconfigFiles(source, files);
        kubeconfig.choose(context);
        return kubeconfig;
    }

    private static String joined(List<Path> files) {
        return files.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Parses a file. client-java fails with ClassCastExceptions and NullPointerExceptions that don't mention the file. */
    private static KubeConfig parse(String text, String source) {
        try {
            return KubeConfig.loadKubeConfig(new StringReader(text));
        } catch (ClassCastException | NullPointerException e) {
            throw noKubeconfig(source, e);
        } catch (RuntimeException e) {
            throw new NoClusterConfigurationException("the kubeconfig " + source + ", can't be used: " + e, e);
        }
    }

    private static NoClusterConfigurationException noKubeconfig(String source, RuntimeException cause) {
        return new NoClusterConfigurationException(
                "the kubeconfig " + source
                        + ", isn't a kubeconfig: it must be a YAML mapping in which clusters, contexts and"
                        + " users are lists of mappings, and current-context and server are text; compare it with"
                        + " the output of 'kubectl config view'",
                cause);
    }

    private void merge(String kind, Path file, @Nullable List<Object> entries, List<Object> into) {
        for (Object entry : entries == null ? List.of() : entries) {
            Object name = nameOf(entry);
            boolean known = name != null && into.stream().anyMatch(other -> name.equals(nameOf(other)));
            if (!known) {
                into.add(entry);
                if (entry instanceof Map<?, ?> named && named.get(kind) instanceof Map<?, ?> content) {
                    origins.put(content, file);
                }
            }
        }
    }

    private static @Nullable Object nameOf(Object entry) {
        return entry instanceof Map<?, ?> named ? named.get("name") : null;
    }

    private void choose(@Nullable String context) {
        String chosen = context != null
                ? context
                : files.values().stream()
                        .map(KubeConfig::getCurrentContext)
                        .filter(current -> current != null && !current.isEmpty())
                        .findFirst()
                        .orElse(null);
        try {
            boolean found = merged.setContext(chosen);
            if (!found && context != null) {
                throw refused("has no context '" + context + "'; see 'kubectl config get-contexts'");
            }
            if (merged.getServer() == null) {
                throw refused("names no server: "
                        + (found
                                ? "context '" + chosen
                                        + "' names a cluster that is missing, or has no server; add it, or choose another context"
                                : "its current-context is '" + chosen + "'; set it")
                        + " by 'kubectl config use-context'");
            }
        } catch (ClassCastException | NullPointerException e) {
            throw noKubeconfig(source, e);
        }
        Object user = KubeconfigLogin.context(merged).get("user");
        if (user != null
                && !"".equals(user)
                && merged.getUsers().stream().noneMatch(each -> user.equals(nameOf(each)))) {
            throw refused("has no user '" + user + "', which its context '" + chosen
                    + "' names; add the user, or choose another context by 'kubectl config use-context'");
        }
        // A renewed login is written to the file that it was read from.
        Path usersFile = fileOf(KubeconfigLogin.user(merged));
        KubeConfig part = Objects.requireNonNull(files.get(usersFile));
        FilePersister persister = new FilePersister(usersFile.toFile());
        merged.setPersistConfig((contexts, clusters, users, preferences, current) -> persister.save(
                part.getContexts(),
                part.getClusters(),
                part.getUsers(),
                part.getPreferences(),
                part.getCurrentContext()));
    }

    private NoClusterConfigurationException refused(String problem) {
        return new NoClusterConfigurationException("the kubeconfig " + source + ", " + problem, null);
    }

    /** Returns the kubeconfig, in its chosen context. */
    KubeConfig merged() {
        return merged;
    }

    /** Returns the files and the source of their names, for messages. */
    String source() {
        return source;
    }

    /** Returns the file of a cluster or user, to which the paths in it are relative. */
    Path fileOf(Map<?, ?> content) {
        return origins.getOrDefault(content, files.keySet().iterator().next());
    }
}
