package io.cle.web;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

import javax.imageio.ImageIO;

/**
 * Writes a picture of a page with its 256 most frequent colors, and the nearest of these for all others. It has a third
 * of the bytes, and no visible difference where the colors are those of a few style rules and of the edges of letters.
 */
final class SmallPng {

    private static final int COLORS = 256;

    private SmallPng() {}

    static void write(byte[] png, Path file) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
        int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        int[] palette = palette(pixels);
        Map<Integer, Integer> indices = new HashMap<>();
        byte[] indexed = new byte[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            indexed[i] = (byte) (int) indices.computeIfAbsent(pixels[i], color -> nearest(color, palette));
        }
        BufferedImage small = new BufferedImage(
                image.getWidth(),
                image.getHeight(),
                BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE));
        small.getRaster().setDataElements(0, 0, image.getWidth(), image.getHeight(), indexed);
        try (OutputStream out = Files.newOutputStream(file)) {
            ImageIO.write(small, "png", out);
        }
    }

    private static int[] palette(int[] pixels) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int pixel : pixels) {
            counts.merge(pixel, 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(COLORS)
                .mapToInt(Map.Entry::getKey)
                .toArray();
    }

    private static int nearest(int color, int[] palette) {
        int best = 0;
        for (int i = 1; i < palette.length; i++) {
            if (distance(color, palette[i]) < distance(color, palette[best])) {
                best = i;
            }
        }
        return best;
    }

    private static int distance(int one, int other) {
        Color a = new Color(one);
        Color b = new Color(other);
        int red = a.getRed() - b.getRed();
        int green = a.getGreen() - b.getGreen();
        int blue = a.getBlue() - b.getBlue();
        return red * red + green * green + blue * blue;
    }
}
