package io.millrace.eventing.runtime;

import io.millrace.workerprotocol.LineInsight;
import java.util.List;

/**
 * What a version of a running function has done by line, as counted on this node.
 *
 * @param version its number when its workers got it
 * @param code to which the numbers of the lines refer
 * @param lines in their order
 */
public record CodeInsight(long version, String code, List<LineInsight> lines) {}
