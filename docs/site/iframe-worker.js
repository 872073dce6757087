// A page that was opened from disk may start no worker. There the search runs in a frame of the page.
if (location.protocol === "file:") {
  window.Worker = class {
    #frame = document.createElement("iframe");
    #waiting = [];

    constructor(url) {
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const inner = this.#frame.contentWindow;
      inner.postMessage = (said) => {
        const data = structuredClone(said);
        setTimeout(() => this.onmessage?.(new MessageEvent("message", { data })));
      };
      const script = inner.document.createElement("script");
      script.src = new URL(url, location.href).href;
      script.onload = () => {
        for (const data of this.#waiting) this.#pass(data);
        this.#waiting = null;
      };
      script.onerror = (error) => this.onerror?.(error);
      inner.document.body.append(script);
    }

    postMessage(data) {
      if (this.#waiting) this.#waiting.push(data);
      else this.#pass(data);
    }

    terminate() {
      this.#frame.remove();
    }

    #pass(said) {
      const inner = this.#frame.contentWindow;
      if (!inner) return;
      const data = inner.structuredClone(said); // its lists are those of the frame
      inner.dispatchEvent(new inner.MessageEvent("message", { data }));
    }
  };
}
