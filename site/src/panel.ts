export interface Panel {
  readonly root: HTMLElement;
  /** Called each time the panel comes into view or leaves it. */
  show?(): void | Promise<void>;
  hide?(): void;
}
