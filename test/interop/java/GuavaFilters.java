// In Guava's package, because strategies are not public. Reads a command a line, answers with a line.
package com.google.common.hash;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class GuavaFilters {
  /** Value i, as test/interop/guava-live.test.ts makes it. */
  static Object value(String funnel, int i) {
    switch (funnel) {
      case "integer": return i * 0x9e3779b1;
      case "long": return i * 0x9e3779b97f4a7c15L;
      case "bytes": return ByteBuffer.allocate(4 + i % 40).putInt(i).array();
      default: return "ключ " + i + (i % 5 == 0 ? "\ud800" : "\ud83c\udf38") + "x".repeat(i % 31);
    }
  }

  static Funnel<?> funnel(String name) {
    switch (name) {
      case "integer": return Funnels.integerFunnel();
      case "long": return Funnels.longFunnel();
      case "bytes": return Funnels.byteArrayFunnel();
      case "string": return Funnels.stringFunnel(StandardCharsets.UTF_8);
      default: return Funnels.unencodedCharsFunnel();
    }
  }

  /** Puts values 0 to put - 1, asks for 0 to ask - 1. */
  @SuppressWarnings("unchecked")
  static String use(BloomFilter<?> any, String funnel, int from, int put, int ask) throws Exception {
    BloomFilter<Object> filter = (BloomFilter<Object>) any;
    StringBuilder changed = new StringBuilder();
    for (int i = from; i < put; i++) changed.append(filter.put(value(funnel, i)) ? '1' : '0');
    StringBuilder answers = new StringBuilder();
    for (int i = 0; i < ask; i++) answers.append(filter.mightContain(value(funnel, i)) ? '1' : '0');
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    filter.writeTo(bytes);
    return String.join(" ", Base64.getEncoder().encodeToString(bytes.toByteArray()), "c" + changed, "a" + answers,
        String.valueOf(filter.approximateElementCount()), String.valueOf(filter.expectedFpp()));
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line; (line = in.readLine()) != null; ) {
      String[] word = line.split(" ");
      String name = word[1];
      BloomFilter<?> filter = word[0].equals("create")
          ? BloomFilter.create(funnel(name), Long.parseLong(word[5]), Double.parseDouble(word[6]),
              BloomFilterStrategies.valueOf(word[7]))
          : BloomFilter.readFrom(new ByteArrayInputStream(Base64.getDecoder().decode(word[5])), funnel(name));
      System.out.println(use(filter, name, Integer.parseInt(word[2]), Integer.parseInt(word[3]), Integer.parseInt(word[4])));
    }
  }
}
