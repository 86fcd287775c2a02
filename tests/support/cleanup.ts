/** What tests share across files ends with the mocha run: whoever starts it says here how. */

const tasks: (() => Promise<void>)[] = [];

/** Runs `task` after the last test of the run. */
export function atEnd(task: () => Promise<void>): void {
  tasks.push(task);
}

/** Runs the tasks, the newest first; all of them, also when one fails. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = [];
  for (const task of tasks.splice(0).reverse()) await task().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
