import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.controller.PartitionChangeBuilder;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Asks Kafka's own controller code what it makes of partitions. One case a line on stdin, fields separated by semicolons, lists by
 * commas, "-" for what is not set; one answer a line on stdout: the partition afterwards, or "nothing".
 */
public final class PartitionChanges {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) out.append(answer(line)).append('\n');
        System.out.print(out);
    }

    private static String answer(String line) {
        String[] field = line.split(";", -1);
        int[] replicas = ints(field[0]);
        Uuid[] directories = new Uuid[replicas.length];
        Arrays.fill(directories, DirectoryId.MIGRATING);
        PartitionRegistration before = new PartitionRegistration.Builder()
            .setReplicas(replicas)
            .setDirectories(directories)
            .setIsr(ints(field[1]))
            .setElr(ints(field[2]))
            .setLastKnownElr(ints(field[3]))
            .setLeader(Integer.parseInt(field[4]))
            .setLeaderEpoch(Integer.parseInt(field[5]))
            .setRemovingReplicas(ints(field[6]))
            .setAddingReplicas(ints(field[7]))
            .setLeaderRecoveryState(LeaderRecoveryState.RECOVERED)
            .setPartitionEpoch(1)
            .build();
        List<Integer> acceptable = list(field[9]);
        PartitionChangeBuilder builder = new PartitionChangeBuilder(
            before, Uuid.METADATA_TOPIC_ID, 0, acceptable::contains, MetadataVersion.latestProduction(),
            Integer.parseInt(field[10]), Boolean.parseBoolean(field[11]));
        builder.setElection(PartitionChangeBuilder.Election.valueOf(field[8].toUpperCase()));
        builder.setDefaultDirProvider(broker -> DirectoryId.MIGRATING);
        if (!field[12].equals("-")) builder.setTargetIsr(list(field[12]));
        if (!field[13].equals("-")) builder.setTargetReplicas(list(field[13]));
        if (!field[14].equals("-")) builder.setTargetRemoving(list(field[14]));
        if (!field[15].equals("-")) builder.setTargetAdding(list(field[15]));
        if (!field[16].equals("-")) builder.setUncleanShutdownReplicas(list(field[16]));
        return builder.build()
            .map(record -> text(before.merge((PartitionChangeRecord) record.message())))
            .orElse("nothing");
    }

    private static String text(PartitionRegistration after) {
        return String.join(";", text(after.replicas), text(after.isr), text(after.elr), text(after.lastKnownElr),
            String.valueOf(after.leader), String.valueOf(after.leaderEpoch), text(after.removingReplicas),
            text(after.addingReplicas));
    }

    private static String text(int[] numbers) {
        return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> list(String text) {
        if (text.isEmpty()) return Collections.emptyList();
        List<Integer> numbers = new ArrayList<>();
        for (String one : text.split(",")) numbers.add(Integer.valueOf(one));
        return numbers;
    }

    private static int[] ints(String text) {
        return list(text).stream().mapToInt(Integer::intValue).toArray();
    }
}
