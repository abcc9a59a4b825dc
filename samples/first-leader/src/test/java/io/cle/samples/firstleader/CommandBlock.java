package io.cle.samples.firstleader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A block of commands of a page.
 *
 * @param page from the root of the project
 * @param line of the page at which the commands begin
 * @param marks from the comments right above the block (CONTRIBUTING.md#commands-of-the-documentation)
 * @param text the commands
 */
record CommandBlock(String page, int line, Map<String, String> marks, String text) {

    private static final Pattern MARK = Pattern.compile("\\s*<!-- (not run|needs|before): (.+) -->");
    private static final Pattern PROGRAM = Pattern.compile("(?:\\w+=\\S* )*(\\S+)");

    /** Returns the blocks of a page, in order. */
    static List<CommandBlock> of(String page) {
        List<CommandBlock> blocks = new ArrayList<>();
        Map<String, String> marks = new HashMap<>();
        List<String> lines = Pages.read(page).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher mark = MARK.matcher(lines.get(i));
            if (mark.matches()) {
                marks.put(mark.group(1), mark.group(2));
            } else if (lines.get(i).strip().equals("```shell")) {
                int start = ++i;
                String indent = lines.get(start - 1).replaceAll("\\S.*", "");
                while (!lines.get(i).equals(indent + "```")) {
                    i++;
                }
                String text = String.join("\n", lines.subList(start, i)).replaceAll("(?m)^" + indent, "");
                blocks.add(new CommandBlock(page, start + 1, Map.copyOf(marks), text + "\n"));
                marks.clear();
            } else {
                marks.clear();
            }
        }
        return blocks;
    }

    /** Returns the blocks of all pages. */
    static Stream<CommandBlock> all() {
        return Pages.all().stream().flatMap(page -> of(page).stream());
    }

    /** Whether it only builds and starts jars, which other tests do. */
    boolean builds() {
        return text.replace("\\\n", " ")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(PROGRAM::matcher)
                .allMatch(program ->
                        program.lookingAt() && program.group(1).matches("(\\.\\.?/mvnw|(.*/)?java|export|sleep|kill)"));
    }

    /** Whether its commands have to be run on an API server. */
    boolean runs() {
        return !marks.containsKey("not run") && !builds();
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
