/** Tells how often the page itself was held up for more than 50 ms, where the browser reports that. */
export function watchLongTasks(report: (tasks: number) => void): () => void {
  if (!PerformanceObserver.supportedEntryTypes.includes("longtask")) return () => {};
  let tasks = 0;
  report(0);
  const observer = new PerformanceObserver((list) => report((tasks += list.getEntries().length)));
  observer.observe({ type: "longtask" });
  return () => observer.disconnect();
}
