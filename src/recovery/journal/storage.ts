/**
 * Where journals lie: a folder of append-only files. A port, so that tests can pull the plug at each sync. Every method
 * rejects with the system's error; what a rejected `append` wrote may be there in part.
 */
export interface JournalStorage {
  /** For messages: where the operator finds the file. */
  pathOf(name: string): string
  /** Names of all that is in it, also of what is no file; empty where the folder does not exist yet. */
  list(): Promise<readonly string[]>
  /** Its bytes, piece by piece: nobody knows how large a file is that is in a journal's place. Throws where it is no file. */
  read(name: string): AsyncIterable<Uint8Array>
  /**
   * Makes the folder if need be, writes `bytes` bytes and syncs them: is there room, may we write? Nothing of it stays, even if the process
   * dies over it.
   */
  probe(bytes: number): Promise<void>
  /** A new file, for its owner alone (0600). Rejects if there is one. The folder is synced: the file is there after a crash. */
  create(name: string): Promise<JournalFile>
  /** An existing file, to write behind its end. */
  open(name: string): Promise<JournalFile>
  /** Synced. */
  rename(from: string, to: string): Promise<void>
  /** Synced. */
  remove(name: string): Promise<void>
}

export interface JournalFile {
  /** Resolves when the bytes are on the disk (fsync). After a failure the next one begins on a line of its own. */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}
